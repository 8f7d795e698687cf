import { type Kysely, sql } from 'kysely'

/** Which undone imports still have papers to remove, and when alerts were deleted, of which the newest are remembered. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('library_import').addColumn('undo_pending', 'boolean', column => column.notNull().defaultTo(false)).execute()
  await db.schema.alterTable('deleted_alert')
    .addColumn('deleted_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`clock_timestamp()`))
    .execute()
}
