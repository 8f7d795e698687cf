import { type Kysely, sql } from 'kysely'

/** Which of the notices that an account was told are warnings, so that those are found without reading all others. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('account_notice').addColumn('is_warning', 'boolean', column => column.notNull().defaultTo(false)).execute()
  await markWarnings(db)
  await sql`create index account_notice_warning on account_notice (account_id, found_at desc, notice_id) where is_warning`.execute(db)
}

/** Marks the warnings that accounts were told. Idempotent. */
export async function markWarnings (db: Kysely<any>): Promise<void> {
  await sql`
    update account_notice set is_warning = true from paper_notice
    where paper_notice.id = account_notice.notice_id and not account_notice.is_warning
      and paper_notice.kind in ('retraction', 'withdrawal', 'partial_retraction', 'expression_of_concern')`.execute(db)
}
