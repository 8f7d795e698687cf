import { type Kysely, sql } from 'kysely'

/** Through when an alert has looked for items, so that it does not compare a whole feed with all that it has sent. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table alert add column if not exists claimed_through timestamptz(3)`.execute(db)
}
