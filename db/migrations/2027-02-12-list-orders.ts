import { type Kysely, sql } from 'kysely'

/** Lists the best must-reads of a feed, and the items that were being sent to Zotero, without reading and sorting all of them. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.dropIndex('project_paper_must_read').execute()
  await sql`create index project_paper_must_read on project_paper (project_id, relevance_score desc, ready_at desc, id)
    where relevance_class = 'must_read'`.execute(db)
  await sql`create index zotero_item_sending on zotero_item (project_id, library, created_at, item_key)
    where state = 'sending'`.execute(db)
}
