import { type Kysely, sql } from 'kysely'

/**
 * A count of what a reader has acknowledged can go on in another call. And indexes by which the newest liked papers, and items of Zotero
 * without a paper, are found without reading all.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('brief_position').addColumn('counted_through', 'uuid').execute()
  await sql`create index project_paper_liked on project_paper (project_id, (vote = 'star') desc, voted_at desc, paper_id)
    where vote in ('star', 'upvote')`.execute(db)
  await sql`create index zotero_item_unlinked on zotero_item using gin (identities)
    where paper_id is null and state = 'known'`.execute(db)
}
