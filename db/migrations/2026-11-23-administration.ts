import { type Kysely, sql } from 'kysely'

/** Administrators, disabled accounts, and sessions that a person can tell apart. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('account')
    .addColumn('administrator', 'boolean', column => column.notNull().defaultTo(false))
    .addColumn('disabled_at', 'timestamptz(3)')
    .execute()
  // The oldest account most likely belongs to the person who set the service up.
  await sql`update account set administrator = true where id = (select id from account order by created_at, id limit 1)`.execute(db)

  // Existing sessions belong to programs: browser sessions start with this version.
  await db.schema.alterTable('session')
    .addColumn('kind', 'text', column => column.notNull().defaultTo('token'))
    .addColumn('user_agent', 'text')
    .addColumn('last_used_at', 'timestamptz(3)')
    .execute()
}
