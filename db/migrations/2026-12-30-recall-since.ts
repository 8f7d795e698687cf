import { type Kysely, sql } from 'kysely'

/**
 * Recall counts votes only from when each paper's time in the feed is known: under a weekly limit, papers could enter later than their
 * time in the feed says.
 */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project').addColumn('recall_since', 'timestamptz(3)').execute()
  await limitRecall(db)
}

/** Counts votes of feeds under a weekly limit from now on. */
export async function limitRecall (db: Kysely<any>): Promise<void> {
  await sql`update project set recall_since = now() where weekly_limit > 0`.execute(db)
}
