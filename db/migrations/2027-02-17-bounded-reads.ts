import { type Kysely, sql } from 'kysely'

/**
 * Finds the notices of a batch that was not sent, and a consumer's unacknowledged briefs, without reading all others. Counts the Zotero
 * items that a project knows in the order in which they were added, which is about that of the table.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index alert_notice_unsent on alert_notice (alert_id) where sent_at is null`.execute(db)
  await sql`create index brief_open on brief (account_id, consumer, created_at desc, id) where acknowledged_at is null`.execute(db)
  await sql`create index zotero_item_added on zotero_item (project_id, created_at, library, item_key)`.execute(db)
}
