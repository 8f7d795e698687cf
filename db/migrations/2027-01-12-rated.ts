import type { Kysely } from 'kysely'

/** Records when a paper was first rated, where its vote was changed, repeated or removed since. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project_paper').addColumn('rated_at', 'timestamptz(3)').execute()
}
