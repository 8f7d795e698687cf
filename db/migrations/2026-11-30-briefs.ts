import { type Kysely, sql } from 'kysely'

/** Briefs: items of feeds that a consumer was given, and whether it acknowledged them. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('brief')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('account_id', 'uuid', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('consumer', 'text', column => column.notNull())
    .addColumn('created_at', 'timestamptz', column => column.notNull())
    .addColumn('acknowledged_at', 'timestamptz')
    .execute()
  await db.schema.createIndex('brief_consumer').on('brief').columns(['account_id', 'consumer', 'created_at']).execute()

  // A paper and not the feed item, so that one that leaves a feed and comes back is not given again.
  await db.schema.createTable('brief_item')
    .addColumn('brief_id', 'uuid', column => column.notNull().references('brief.id').onDelete('cascade'))
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('paper_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('brief_item_once', ['brief_id', 'project_id', 'paper_id'])
    .execute()
  await db.schema.createIndex('brief_item_project').on('brief_item').columns(['project_id', 'paper_id']).execute()
  await db.schema.createIndex('brief_item_paper').on('brief_item').column('paper_id').execute()
}
