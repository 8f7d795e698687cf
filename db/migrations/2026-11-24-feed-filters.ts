import { type Kysely, sql } from 'kysely'

/** One covering index for a feed's pages and counts, in their order, whatever the filter. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index project_paper_feed on project_paper (project_id, ready_at desc, id)
    include (relevance_class, vote, downvote_reason, voted_at)`.execute(db)
  await db.schema.dropIndex('project_paper_newest').execute()
}
