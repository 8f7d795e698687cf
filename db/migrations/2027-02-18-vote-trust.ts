import { type Kysely, sql } from 'kysely'

/** Rescores every feed with a model: votes of other interests, in other languages and on texts without content count less. */
export async function up (db: Kysely<any>): Promise<void> {
  await rescoreFeeds(db)
}

/** Rescores every feed with a model of an earlier version, which is not used any more. Idempotent. */
export async function rescoreFeeds (db: Kysely<any>): Promise<void> {
  await sql`
    update project set scoring_due_at = now()
    where id in (select project_id from relevance_model where model->>'version' <> '7') and scoring_due_at is null`.execute(db)
}
