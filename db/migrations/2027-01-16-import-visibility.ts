import { type Kysely, sql } from 'kysely'

/** The projects that the key which started an import can see, so that a pasted title does not reach papers of others. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table library_import add column if not exists visible_projects uuid[]`.execute(db)
}
