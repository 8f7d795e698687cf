import { type Kysely, sql } from 'kysely'

/**
 * Notices on papers, such as retractions, as sources report them. `account_notice` says which accounts were told, and when: only those that
 * chose the paper. `paper_check` says when a source was last asked about a paper, `alert_notice` which alerts sent a notice.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('paper_notice')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('paper_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addColumn('source', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('reference', 'text', column => column.notNull())
    .addColumn('date', 'text')
    .addColumn('doi', 'text')
    .addColumn('pmid', 'text')
    .addColumn('url', 'text')
    .addColumn('first_seen_at', 'timestamptz(3)', column => column.notNull())
    .addColumn('withdrawn_at', 'timestamptz(3)')
    .addUniqueConstraint('paper_notice_stated', ['paper_id', 'source', 'kind', 'reference'])
    .execute()

  await db.schema.createTable('account_notice')
    .addColumn('account_id', 'uuid', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('notice_id', 'uuid', column => column.notNull().references('paper_notice.id').onDelete('cascade'))
    .addColumn('found_at', 'timestamptz(3)', column => column.notNull())
    .addPrimaryKeyConstraint('account_notice_pkey', ['account_id', 'notice_id'])
    .execute()
  await sql`create index account_notice_notice on account_notice (notice_id)`.execute(db)

  await db.schema.createTable('paper_check')
    .addColumn('paper_id', 'uuid', column => column.notNull().references('paper.id').onDelete('cascade'))
    .addColumn('source', 'text', column => column.notNull())
    .addColumn('checked_at', 'timestamptz(3)')
    .addColumn('next_check_at', 'timestamptz(3)', column => column.notNull())
    .addColumn('failures', 'integer', column => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('paper_check_pkey', ['paper_id', 'source'])
    .execute()

  await db.schema.createTable('alert_notice')
    .addColumn('alert_id', 'uuid', column => column.notNull().references('alert.id').onDelete('cascade'))
    .addColumn('notice_id', 'uuid', column => column.notNull().references('paper_notice.id').onDelete('cascade'))
    .addColumn('batch', 'uuid', column => column.notNull())
    .addColumn('sent_at', 'timestamptz(3)')
    .addPrimaryKeyConstraint('alert_notice_pkey', ['alert_id', 'notice_id'])
    .execute()
  await sql`create index alert_notice_notice on alert_notice (notice_id)`.execute(db)

  await db.schema.alterTable('project_paper').addColumn('cited_at', 'timestamptz(3)').execute()
  await db.schema.alterTable('project').addColumn('notices_seen_at', 'timestamptz(3)').execute()
  await sql`
    create index project_paper_chosen on project_paper (paper_id)
    where vote in ('upvote', 'star') or saved or cited_at is not null`.execute(db)
}
