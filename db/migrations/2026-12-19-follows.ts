import { type Kysely, sql } from 'kysely'

/**
 * People, journals and institutions that projects follow, by their ids or, where none is known, by name. `links` says how an item of a
 * feed is linked to what its owner follows and starred: a bit for each filter, as of its last scoring.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('project_follow')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('project_id', 'uuid', column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('ids', sql`text[]`, column => column.notNull())
    .addColumn('created_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
    .execute()
  await sql`create index project_follow_project on project_follow (project_id)`.execute(db)
  await db.schema.alterTable('project_paper').addColumn('links', 'smallint', column => column.notNull().defaultTo(0)).execute()
  await sql`create index project_paper_linked on project_paper (project_id, ready_at desc, id) where links <> 0`.execute(db)
}
