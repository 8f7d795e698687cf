import type { Kysely } from 'kysely'

/** Links that set a new password, sent by mail. Only their hashes are stored. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('password_reset')
    .addColumn('token_hash', 'bytea', column => column.primaryKey())
    .addColumn('account_id', 'uuid', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('created_at', 'timestamptz(3)', column => column.notNull())
    .addColumn('expires_at', 'timestamptz(3)', column => column.notNull())
    .addColumn('used', 'boolean', column => column.notNull().defaultTo(false))
    .execute()
  await db.schema.createIndex('password_reset_account').on('password_reset').columns(['account_id', 'created_at']).execute()
}
