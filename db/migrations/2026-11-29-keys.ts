import { type Kysely, sql } from 'kysely'

/**
 * Several keys per account, each with a name, a scope, projects and an expiry. The existing key of an account becomes the read key
 * "Default".
 */
export async function up (db: Kysely<any>): Promise<void> {
  await sql`alter table mcp_key drop constraint mcp_key_pkey`.execute(db)
  await db.schema.alterTable('mcp_key')
    .addColumn('id', 'uuid', column => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('name', 'text', column => column.notNull().defaultTo('Default'))
    .addColumn('scope', 'text', column => column.notNull().defaultTo('read').check(sql`scope in ('read', 'act')`))
    .addColumn('project_ids', sql`uuid[]`)
    .addColumn('expires_at', 'timestamptz(3)')
    .addColumn('client_name', 'text')
    .addColumn('client_version', 'text')
    .execute()
  await db.schema.alterTable('mcp_key').addUniqueConstraint('mcp_key_name', ['account_id', 'name']).execute()
}
