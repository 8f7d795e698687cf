import type { Kysely } from 'kysely'

/** Remembers the recipients of deleted alerts: a mail of such an alert still unsubscribes. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('deleted_alert')
    .addColumn('id', 'uuid', column => column.primaryKey())
    .addColumn('account_id', 'uuid', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('project_id', 'uuid', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('deleted_alert_account').on('deleted_alert').column('account_id').execute()
}
