import { type Kysely, sql } from 'kysely'

/** Which deleted alerts their recipients ended, so that a later subscription to another alert does not take that back. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('deleted_alert').addColumn('unsubscribed_at', 'timestamptz(3)').execute()
  await markEndedAlerts(db)
}

/** Counts the deleted alerts of addresses that unsubscribed as ended: nothing says which of them were. Idempotent. */
export async function markEndedAlerts (db: Kysely<any>): Promise<void> {
  await sql`
    update deleted_alert set unsubscribed_at = unsubscription.unsubscribed_at from unsubscription
    where unsubscription.account_id = deleted_alert.account_id and unsubscription.address = deleted_alert.address
      and deleted_alert.unsubscribed_at is null`.execute(db)
}
