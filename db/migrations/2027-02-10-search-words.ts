import { type Kysely, sql } from 'kysely'

/** Indexes papers again whose words in the search index changed: those with a DOI, of which only the numbers remain. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    insert into search_pending (project_id, item_id)
    select project_paper.project_id, project_paper.id from project_paper join paper on paper.id = project_paper.paper_id
    where paper.doi is not null`.execute(db)
}
