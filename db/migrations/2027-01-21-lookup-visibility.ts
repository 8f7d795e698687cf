import { type Kysely, sql } from 'kysely'

/** The projects that the key which asked for a paper can see, so that the look-up does not use the account's own papers of others. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table job add column if not exists visible_projects uuid[]`.execute(db)
}
