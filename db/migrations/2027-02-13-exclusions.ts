import { type Kysely, sql } from 'kysely'

/** Rescores every feed with an interest: what an interest excludes lowers scores, also without a model, and is read in more wordings. */
export async function up (db: Kysely<any>): Promise<void> {
  await rescoreInterests(db)
  await rescoreFeeds(db)
}

/** Rescores every feed with an interest. Idempotent. */
export async function rescoreInterests (db: Kysely<any>): Promise<void> {
  await sql`update project set scoring_due_at = now() where interest_description <> '' and scoring_due_at is null`.execute(db)
}

/** Rescores every feed with a model of an earlier version, which is not used any more: it has other words of the interest. Idempotent. */
export async function rescoreFeeds (db: Kysely<any>): Promise<void> {
  await sql`
    update project set scoring_due_at = now()
    where id in (select project_id from relevance_model where model->>'version' <> '6') and scoring_due_at is null`.execute(db)
}
