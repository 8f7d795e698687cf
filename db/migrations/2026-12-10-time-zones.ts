import { type Kysely, sql } from 'kysely'

const weekdays = sql`weekday in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')`

/** When digests are sent, in the time zone of the account, and whether the recipient of an alert has unsubscribed. */
export async function up (db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('account').addColumn('time_zone', 'text', column => column.notNull().defaultTo('UTC')).execute()
  await db.schema.alterTable('alert')
    .addColumn('weekday', 'text', column => column.notNull().defaultTo('monday').check(weekdays))
    .addColumn('hour', 'integer', column => column.notNull().defaultTo(6).check(sql`hour between 0 and 23`))
    .addColumn('unsubscribed_at', 'timestamptz(3)')
    .execute()
}
