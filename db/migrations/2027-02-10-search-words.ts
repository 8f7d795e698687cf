import { type Kysely, sql } from 'kysely'

/** Indexes all papers again: identifiers, hyphenated names and authors changed, which nearly all papers have. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`insert into search_pending (project_id, item_id) select project_id, id from project_paper`.execute(db)
  await rescoreFeeds(db)
}

/**
 * Rescores every feed with a model of an earlier version, which is not used any more: it has other stems of irregular plurals and British
 * spellings. Idempotent.
 */
export async function rescoreFeeds (db: Kysely<any>): Promise<void> {
  await sql`
    update project set scoring_due_at = now()
    where id in (select project_id from relevance_model where model->>'version' <> '5') and scoring_due_at is null`.execute(db)
}
