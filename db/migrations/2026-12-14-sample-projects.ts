import type { Kysely } from 'kysely'

/** Marks projects of invented papers, so that pages can offer to remove them. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('project').addColumn('is_sample', 'boolean', column => column.notNull().defaultTo(false)).execute()
}
