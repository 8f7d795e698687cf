import { type Kysely, sql } from 'kysely'

/** Finds the votes that an estimate of recall counts, however many papers were imported with votes or were rated before they entered. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`create index project_paper_first_vote on project_paper (project_id, voted_at desc, id)
    where vote is not null and vote_import_id is null and coalesce(rated_at, voted_at) > coalesce(entered_at, ready_at)`.execute(db)
}
