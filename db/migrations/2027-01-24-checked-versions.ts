import { type Kysely, sql } from 'kysely'

/** The version of a preprint when its server was first asked about it: a fetch may store the next one before the server is asked again. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table paper_check add column if not exists version integer`.execute(db)
}
