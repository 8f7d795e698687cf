import { type Kysely, sql } from 'kysely'
import { rescoreFeeds } from './2027-02-18-vote-trust.js'

/** Indexes all papers again: identifiers, hyphenated names and authors changed, which nearly all papers have. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`insert into search_pending (project_id, item_id) select project_id, id from project_paper`.execute(db)
  await rescoreFeeds(db)
}
