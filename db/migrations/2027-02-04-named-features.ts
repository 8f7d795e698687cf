import { type Kysely, sql } from 'kysely'

/** Rescores every feed with a model: models of earlier versions do not tell "IL-6" from "IL-17", and are not used any more. Idempotent. */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`
    update project set scoring_due_at = now()
    where id in (select project_id from relevance_model where model->>'version' <> '4') and scoring_due_at is null`.execute(db)
}
