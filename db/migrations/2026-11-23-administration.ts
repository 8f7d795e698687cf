import { type Kysely, sql } from 'kysely'

/** Who administers the service, accounts that are switched off, and sessions that a person can tell apart. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('account')
    .addColumn('administrator', 'boolean', column => column.notNull().defaultTo(false))
    .addColumn('disabled_at', 'timestamptz(3)')
    .execute()
  // Whoever set the service up, as far as the database can tell.
  await sql`update account set administrator = true where id = (select id from account order by created_at, id limit 1)`.execute(db)

  // Logins of before are of programs: browsers' sessions begin with this.
  await db.schema.alterTable('session')
    .addColumn('kind', 'text', column => column.notNull().defaultTo('token'))
    .addColumn('user_agent', 'text')
    .addColumn('last_used_at', 'timestamptz(3)')
    .execute()
}
