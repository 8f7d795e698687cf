import type { Kysely } from 'kysely'

/** Limits how long further votes delay the rescoring of a feed. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project').addColumn('scoring_latest_at', 'timestamptz(3)').execute()
}
