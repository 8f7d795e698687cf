import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Sources that administrators disabled for all accounts. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('disabled_source')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('disabled_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
    .execute()
}
