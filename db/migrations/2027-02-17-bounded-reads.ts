import { type Kysely, sql } from 'kysely'

/** Finds the notices of a batch that was not sent without reading all that were. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index alert_notice_unsent on alert_notice (alert_id) where sent_at is null`.execute(db)
}
