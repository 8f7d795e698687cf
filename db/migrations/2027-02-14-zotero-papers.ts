import { type Kysely, sql } from 'kysely'

/** Finds the items of a paper in a library by one index: the planner would read all items that a project knows there. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.dropIndex('zotero_item_paper').execute()
  await sql`create index zotero_item_paper on zotero_item (paper_id, library, project_id) where paper_id is not null`.execute(db)
}
