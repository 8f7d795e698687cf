import { type Kysely, sql } from 'kysely'

/** Finds the papers of a feed that their owner chose, newest first, of which sources are asked for notices. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    create index project_paper_watched on project_paper (project_id, ready_at desc, paper_id)
    where vote in ('upvote', 'star') or saved or cited_at is not null`.execute(db)
}
