import { type Kysely, sql } from 'kysely'

/** One index that has all that a feed's pages and counts ask of an item, in their order: whatever the filter, no row is read to decide. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index project_paper_feed on project_paper (project_id, ready_at desc, id) include (relevance_class, vote, downvote_reason, voted_at)`.execute(db)
  await db.schema.dropIndex('project_paper_newest').execute()
}
