import { type Kysely, sql } from 'kysely'

/**
 * Indexes all papers again: identifiers, hyphenated names and authors changed, which nearly all papers have. Rescores every feed with a
 * model, too: models of earlier versions have other stems of irregular plurals and British spellings, and are not used any more.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`insert into search_pending (project_id, item_id) select project_id, id from project_paper`.execute(db)
  await sql`
    update project set scoring_due_at = now()
    where id in (select project_id from relevance_model where model->>'version' <> '5') and scoring_due_at is null`.execute(db)
}
