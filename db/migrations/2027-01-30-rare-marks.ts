import { type Kysely, sql } from 'kysely'

/**
 * Finds the items with a rare tag or link where most have another one: the indexes of tagged and linked items have their order alone. Only
 * items that have any take part in these indexes. Without a list of pending entries, each search of which would read all of it.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index project_paper_tag on project_paper using gin (project_id, tag_keys) with (fastupdate = off)
    where tags <> '{}'`.execute(db)
  await sql`create index project_paper_link on project_paper (project_id, links) where links <> 0`.execute(db)
}
