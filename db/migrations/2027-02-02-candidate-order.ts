import { type Kysely, sql } from 'kysely'

/** The order in which pages list what a feed does not include. An index that lacks the time itself could not skip pages by itself alone. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    create index candidate_order
    on candidate (project_id, (date_trunc('week', found_at at time zone 'UTC')) desc, relevance_score desc, paper_id)
    include (found_at) where relevance_score > 0`.execute(db)
}
