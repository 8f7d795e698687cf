import { type Kysely, sql } from 'kysely'

/** When an alert began to send all items of its feed, if that was after it was created: it sends no item that entered before. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table alert add column items_since timestamptz(3)`.execute(db)
}
