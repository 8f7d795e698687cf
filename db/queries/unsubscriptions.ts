import { type Insertable, type Selectable, sql } from 'kysely'
import { awaitsConfirmation } from '../../schemas/alert.js'
import type { Db } from '../connection.js'
import type { AlertTable } from '../tables/alerts.js'
import { isOwnAlert } from './ownership.js'

/** An address as its unsubscription is stored. */
export const addressOf = (target: string) => target.toLowerCase()

/** Columns that are kept of a deleted alert. */
export const recipientColumns = ['id', 'project_id', 'kind', 'target', 'created_at', 'unsubscribed_at'] as const

/** Deleted alerts that are remembered for an account: the links in mails of older ones end nothing any more. */
const maxDeletedAlerts = 1000

/**
 * Remembers the recipients of deleted alerts by email, up to a number for each account. @param db the transaction that deletes them
 */
export async function rememberDeletedAlerts (
  db: Db,
  accountId: string,
  alerts: ReadonlyArray<Pick<Selectable<AlertTable>, typeof recipientColumns[number]> & { project_id: string }>
): Promise<void> {
  const rows = alerts.filter(({ kind }) => kind === 'email')
    .map(({ id, project_id, target, created_at, unsubscribed_at }) => ({
      id,
      account_id: accountId,
      project_id,
      address: addressOf(target),
      unsubscribed_at: isEndedByLink({ created_at, unsubscribed_at }) ? unsubscribed_at : null
    }))
  if (rows.length === 0) return
  await db.insertInto('deleted_alert').values(rows).execute()
  await db.deleteFrom('deleted_alert').where('id', 'in', ({ selectFrom }) =>
    selectFrom('deleted_alert').select('id').where('account_id', '=', accountId)
      .orderBy('deleted_at', 'desc').orderBy('id').offset(maxDeletedAlerts)).execute()
}

/** Whether a link ended an alert: one that was created after an unsubscription has its earlier time. */
const isEndedByLink = (alert: Pick<Selectable<AlertTable>, 'created_at' | 'unsubscribed_at'>): boolean =>
  alert.unsubscribed_at !== null && !awaitsConfirmation(alert)

/**
 * Ends the emails of an alert, and those that the account may later set up for the same address. If the alert was deleted, ends those that
 * its project sends to the address since. Authenticates: the caller has the alert from a token that only its emails contain. A second call
 * ends nothing more.
 */
export const unsubscribeAlert = (db: Db, id: string, now: Date) =>
  db.transaction().execute(async transaction => {
    const ended = await transaction
      .updateTable('alert')
      .set({ unsubscribed_at: now, last_error: null })
      .where('id', '=', id)
      .where('kind', '=', 'email')
      .where('unsubscribed_at', 'is', null)
      .where('project_id', 'is not', null)
      .returning(['project_id', 'target'])
      .executeTakeFirst()
    if (ended === undefined) return await unsubscribeDeleted(transaction, id, now)
    const { account_id } = await transaction.selectFrom('project').select('account_id').where('id', '=', ended.project_id)
      .executeTakeFirstOrThrow()
    await transaction
      .insertInto('unsubscription')
      .values({ account_id, address: addressOf(ended.target), unsubscribed_at: now, asked_at: null })
      .onConflict(conflict => conflict.columns(['account_id', 'address']).doUpdateSet({ unsubscribed_at: now }))
      .execute()
  })

async function unsubscribeDeleted (transaction: Db, id: string, now: Date): Promise<void> {
  const deleted = await transaction.updateTable('deleted_alert').set({ unsubscribed_at: now }).where('id', '=', id)
    .returning(['account_id', 'project_id', 'address']).executeTakeFirst()
  if (deleted === undefined) return
  const sending = await listSending(transaction, deleted)
  if (sending.length > 0) {
    await transaction.updateTable('alert').set({ unsubscribed_at: now, last_error: null }).where('id', 'in', sending).execute()
  }
  await transaction.insertInto('unsubscription').values({ account_id: deleted.account_id, address: deleted.address, unsubscribed_at: now })
    .onConflict(conflict => conflict.doNothing()).execute()
}

/** The alerts by which a project still sends emails to an address. */
const listSending = async (db: Db, { project_id, address }: { project_id: string, address: string }): Promise<string[]> => {
  const alerts = await db.selectFrom('alert').select(['id', 'target'])
    .where('project_id', '=', project_id).where('kind', '=', 'email').where('unsubscribed_at', 'is', null).execute()
  return alerts.filter(({ target }) => addressOf(target) === address).map(({ id }) => id)
}

/**
 * The recipient of a deleted alert, whether its emails have ended for good, and, for the address of its account, when that was confirmed.
 * Authenticates as `unsubscribeAlert` does.
 * @returns undefined if there was no such alert, or none by email
 */
export async function findDeletedAlert (db: Db, id: string) {
  const deleted = await db
    .selectFrom('deleted_alert')
    .leftJoin('unsubscription', join => join
      .onRef('unsubscription.account_id', '=', 'deleted_alert.account_id').onRef('unsubscription.address', '=', 'deleted_alert.address'))
    .leftJoin('account', 'account.id', 'deleted_alert.account_id')
    .select(['deleted_alert.project_id', 'deleted_alert.address', 'unsubscription.unsubscribed_at', 'account.email', 'email_confirmed_at'])
    .where('deleted_alert.id', '=', id)
    .executeTakeFirst()
  if (deleted === undefined) return undefined
  const { address, email, email_confirmed_at, unsubscribed_at } = deleted
  return {
    address,
    unsubscribed: unsubscribed_at !== null && (await listSending(db, deleted)).length === 0,
    ofAccount: email === address ? { email_confirmed_at } : undefined
  }
}

/**
 * Has the address of a new alert confirm it, as one that unsubscribed does: `resubscribeAlert` and `confirmAddress` start the alert. Asks
 * nobody. @param db the transaction that creates it
 */
export const awaitConfirmation = (
  db: Db,
  accountId: string,
  { target, created_at }: Pick<Insertable<AlertTable>, 'target' | 'created_at'>
) =>
  db.insertInto('unsubscription')
    .values({ account_id: accountId, address: addressOf(target), unsubscribed_at: created_at, asked_at: null })
    .onConflict(conflict => conflict.doNothing()).execute()

/** When a digest is sent. */
type DigestTimes = Pick<Selectable<AlertTable>, 'frequency' | 'weekday' | 'hour'> & { time_zone: string }

/** A confirmation of an address: its time, and the next time of a digest, for those that waited for it. */
export interface Confirmation { now: Date, nextSendAt: (digest: DigestTimes) => Date }

/**
 * Records that somebody who reads the account's mail confirmed it, unless they have before, and starts the alerts that waited for that.
 * @param db a transaction that has locked the account @param address expected address of the account; undefined: any
 */
export async function confirmAddress (
  db: Db,
  accountId: string,
  { now, nextSendAt, address }: Confirmation & { address?: string }
): Promise<void> {
  const account = await db.updateTable('account').set({ email_confirmed_at: now })
    .where('id', '=', accountId).where('email_confirmed_at', 'is', null)
    .$if(address !== undefined, query => query.where('email', '=', address!)).returning(['email', 'time_zone']).executeTakeFirst()
  if (account === undefined) return
  for (const { id, ...alert } of await forgetUnsubscription(db, accountId, account.email)) {
    const items_since = sql<Date>`greatest(${now}::timestamptz - ${period}, items_since)`
    const next_send_at = nextSendAt({ ...alert, time_zone: account.time_zone })
    await db.updateTable('alert').set({ unsubscribed_at: null, last_error: null, items_since, next_send_at })
      .where('id', '=', id).where(isOwnAlert(accountId)).execute()
  }
}

/** Alerts that waited begin with the papers of about their present day or week. */
const period = sql`case frequency when 'weekly' then interval '7 days' else interval '1 day' end`

/** Confirms the address of the account whose alert was deleted since its recipient was asked. Authenticates as `unsubscribeAlert` does. */
export const confirmByDeletedAlert = (db: Db, id: string, confirmation: Confirmation) =>
  db.transaction().execute(async transaction => {
    const deleted = await transaction.selectFrom('deleted_alert').select(['account_id', 'address']).where('id', '=', id).executeTakeFirst()
    if (deleted === undefined) return
    await transaction.selectFrom('account').select('id').where('id', '=', deleted.account_id).forNoKeyUpdate().execute()
    await confirmAddress(transaction, deleted.account_id, { ...confirmation, address: deleted.address })
  })

/**
 * Forgets that an address unsubscribed, unless its owner ended an alert of the account, also a deleted one.
 * @returns the alerts that wait for the address to confirm them; none if it stays unsubscribed
 */
async function forgetUnsubscription (transaction: Db, accountId: string, address: string) {
  const ended = (await transaction.selectFrom('alert')
    .select(['id', 'target', 'created_at', 'unsubscribed_at', 'frequency', 'weekday', 'hour'])
    .where(isOwnAlert(accountId)).where('kind', '=', 'email').where('unsubscribed_at', 'is not', null).execute())
    .filter(({ target }) => addressOf(target) === address)
  if (ended.some(isEndedByLink)) return []
  const deleted = await transaction.selectFrom('deleted_alert').select('id')
    .where('account_id', '=', accountId).where('address', '=', address).where('unsubscribed_at', 'is not', null).executeTakeFirst()
  if (deleted !== undefined) return []
  await transaction.deleteFrom('unsubscription').where('account_id', '=', accountId).where('address', '=', address).execute()
  return ended
}

/**
 * Takes back what `unsubscribeAlert` did for an alert. The address stays unsubscribed if its owner ended another alert of the account, also
 * a deleted one. Confirms the address, if it is the account's own. Authenticates: the caller has the alert from a token that only mail to
 * its address contains.
 * @param schedule when it is sent next, and since when items must have entered to be sent
 */
export const resubscribeAlert = (
  db: Db,
  accountId: string,
  { id, project_id, target, created_at }: Pick<Selectable<AlertTable>, 'id' | 'target' | 'created_at'> & { project_id: string },
  schedule: { next_send_at: Date, items_since: Date },
  confirmation: Confirmation
) =>
  db.transaction().execute(async transaction => {
    // The account comes first, as where alerts are created.
    await transaction.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
    await transaction.updateTable('alert').set({ unsubscribed_at: null, last_error: null, ...schedule }).where('id', '=', id)
      .where(isOwnAlert(accountId)).where('unsubscribed_at', 'is not', null).execute()
    const address = addressOf(target)
    // The recipient was asked about what they ended before the alert was created, and the alert sends what its project's former ones sent.
    await transaction.updateTable('deleted_alert').set({ unsubscribed_at: null })
      .where('account_id', '=', accountId).where('address', '=', address)
      .where(({ eb, or }) => or([eb('project_id', '=', project_id), eb('unsubscribed_at', '<=', created_at)])).execute()
    await forgetUnsubscription(transaction, accountId, address)
    await confirmAddress(transaction, accountId, { ...confirmation, address })
  })
