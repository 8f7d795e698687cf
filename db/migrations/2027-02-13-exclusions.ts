import { type Kysely, sql } from 'kysely'
import { rescoreFeeds } from './2027-02-18-vote-trust.js'

/** Rescores every feed with an interest: what an interest excludes lowers scores, also without a model, and is read in more wordings. */
export async function up (db: Kysely<any>): Promise<void> {
  await rescoreInterests(db)
  await rescoreFeeds(db)
}

/** Rescores every feed with an interest. Idempotent. */
export async function rescoreInterests (db: Kysely<any>): Promise<void> {
  await sql`update project set scoring_due_at = now() where interest_description <> '' and scoring_due_at is null`.execute(db)
}
