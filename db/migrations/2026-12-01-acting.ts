import type { Kysely } from 'kysely'

/** Stores what a project learned at its last rescoring, and jobs that look up a paper by its identifier. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project')
    .addColumn('learned_at', 'timestamptz(3)')
    .addColumn('learned', 'jsonb')
    .execute()
  await db.schema.alterTable('job').addColumn('identifier', 'text').execute()
}
