import type { Kysely } from 'kysely'

/** Records when a paper was added to a feed after the week that found it. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project_paper').addColumn('entered_at', 'timestamptz(3)').execute()
}
