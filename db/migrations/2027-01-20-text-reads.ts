import { type Kysely, sql } from 'kysely'

/** Records when full texts were last read, so that shared ones that nobody reads can be deleted. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('markdown').addColumn('read_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`)).execute()
}
