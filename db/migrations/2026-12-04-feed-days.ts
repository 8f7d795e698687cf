import { type Kysely, sql } from 'kysely'

/** One covering index for feeds by day, best first within a day. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    create index if not exists project_paper_days
    on project_paper (project_id, ((ready_at at time zone 'UTC')::date) desc, relevance_score desc, id)
    include (ready_at, relevance_class, vote, downvote_reason, voted_at)`.execute(db)
}
