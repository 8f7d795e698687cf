import { type Kysely, sql } from 'kysely'

/** A project can take only the best papers of each week. 0: no limit. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('project')
    .addColumn('weekly_limit', 'integer', column => column.notNull().defaultTo(0).check(sql`weekly_limit between 0 and 1000`))
    .execute()
}
