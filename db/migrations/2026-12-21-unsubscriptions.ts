import { type Kysely, sql } from 'kysely'

/** Remembers who unsubscribed from the emails of an account, also after the alert was deleted. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.createTable('unsubscription')
    .addColumn('account_id', 'uuid', column => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('unsubscribed_at', 'timestamptz(3)', column => column.notNull())
    .addColumn('asked_at', 'timestamptz(3)')
    .addPrimaryKeyConstraint('unsubscription_pkey', ['account_id', 'address'])
    .execute()
  await rememberUnsubscribed(db)
}

/** Remembers the recipients of alerts that were ended before. Idempotent. */
export async function rememberUnsubscribed (db: Kysely<any>): Promise<void> {
  await sql`
    insert into unsubscription (account_id, address, unsubscribed_at)
    select project.account_id, lower(alert.target), max(alert.unsubscribed_at)
    from alert join project on project.id = alert.project_id
    where alert.kind = 'email' and alert.unsubscribed_at is not null
    group by project.account_id, lower(alert.target)
    on conflict do nothing`.execute(db)
}
