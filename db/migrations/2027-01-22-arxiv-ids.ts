import { type Kysely, sql } from 'kysely'

/** Ids of arXiv before April 2007 without the subject class that files and people state: math.GT/0309136 is math/0309136. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`update paper set arxiv_id = lower(regexp_replace(arxiv_id, '[.][A-Za-z]{2}/', '/'))
    where arxiv_id ~ '^[a-z-]+[.][A-Za-z]{2}/[0-9]{7}$'`.execute(db)
}
