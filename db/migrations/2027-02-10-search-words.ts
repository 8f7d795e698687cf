import { type Kysely, sql } from 'kysely'

/** Indexes all papers again: identifiers, hyphenated names and authors changed, which nearly all papers have. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`insert into search_pending (project_id, item_id) select project_id, id from project_paper`.execute(db)
}
