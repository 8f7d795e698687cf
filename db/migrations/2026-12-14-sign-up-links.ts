import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Links that create accounts. Only a hash of the token is stored. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('invitation')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('token_hash', 'bytea', column => column.notNull().unique())
    .addColumn('email', 'text')
    .addColumn('note', 'text', column => column.notNull())
    .addColumn('uses', 'integer', column => column.notNull())
    .addColumn('used', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('created_by', 'uuid', column => column.references('account.id').onDelete('set null'))
    .addColumn('created_at', 'timestamptz(3)', column => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz(3)', column => column.notNull())
    .addColumn('revoked_at', 'timestamptz(3)')
    .addColumn('last_used_at', 'timestamptz(3)')
    .addCheckConstraint('invitation_used', sql`used between 0 and uses`)
    .execute()
  await sql`create index invitation_created_by on invitation (created_by)`.execute(db)
}
