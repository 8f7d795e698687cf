import type { Kysely } from 'kysely'

/** Records how high the score of a paper was among the unrated ones at its first vote: estimates of recall weigh the vote by it. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project_paper').addColumn('rated_weight', 'float4').execute()
}
