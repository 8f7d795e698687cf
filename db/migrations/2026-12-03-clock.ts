import type { Kysely } from 'kysely'

/** Records when a slot was acquired or released. A later time than now shows that the clock has been set back since. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('source_turn').addColumn('set_at', 'timestamptz(3)').execute()
}
