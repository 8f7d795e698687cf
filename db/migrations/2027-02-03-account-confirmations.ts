import { type Kysely, sql } from 'kysely'

/** When each account proved that its address is its own. Accounts of earlier versions count as proven: their alerts go on. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('account').addColumn('email_confirmed_at', 'timestamptz(3)').execute()
  await confirmAccounts(db)
}

/** Counts the addresses of all accounts as proven. Idempotent. */
export async function confirmAccounts (db: Kysely<any>): Promise<void> {
  await sql`update account set email_confirmed_at = now() where email_confirmed_at is null`.execute(db)
}
