import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { deleteKeys } from './keys.js'
import { endPasswordResets, findPasswordReset, usePasswordReset } from './password-resets.js'
import { endSessions } from './sessions.js'
import { type Confirmation, confirmAddress } from './unsubscriptions.js'

const accountColumns = ['id', 'email', 'administrator', 'disabled_at', 'time_zone', 'created_at'] as const

/** An account that is created. */
export interface NewAccount { email: string, password_hash: string, email_confirmed_at?: Date | null, time_zone?: string }

/** Creates an account. The first one is an administrator. @returns undefined if the address is taken */
export const createAccount = async (db: Db, account: NewAccount) =>
  await createFirstAccount(db, account) ?? await insertAccount(db, { ...account, administrator: false })

/**
 * Creates the first account, as an administrator. Of several concurrent calls one succeeds.
 * @returns undefined if an account exists
 */
export const createFirstAccount = (db: Db, account: NewAccount) =>
  db.transaction().execute(async transaction => {
    await lockAccounts(transaction)
    if (await hasAccount(transaction)) return undefined
    return await insertAccount(transaction, { ...account, administrator: true })
  })

/** Creates an account. @returns undefined if the address is taken */
export const insertAccount = (db: Db, account: NewAccount & { administrator: boolean }) =>
  db
    .insertInto('account')
    .values(account)
    .onConflict(conflict => conflict.column('email').doNothing())
    .returning(accountColumns)
    .executeTakeFirst()

/** Makes transactions that create, delete or change accounts run one after another. Comes before the locks of rows. */
export const lockAccounts = (transaction: Db) =>
  transaction.selectNoFrom(({ fn, val }) => fn('pg_advisory_xact_lock', [val(8241)]).as('lock')).execute()

/** Whether any account exists, apart from those that are being deleted. */
export async function hasAccount (db: Db): Promise<boolean> {
  return await db.selectFrom('account').select('id').where('deleted_at', 'is', null).limit(1).executeTakeFirst() !== undefined
}

/** When a session or key of an account was last used, as an SQL expression on `account`. */
const lastUsed = sql<Date | null>`greatest(
  (select max(last_used_at) from session where session.account_id = account.id),
  (select max(last_used_at) from mcp_key where mcp_key.account_id = account.id))`

/** The order of a list of accounts. */
const accountOrder = { oldest: sql`created_at, id`, used: sql`${lastUsed} desc nulls last, created_at, id` }

/**
 * One page of all accounts, oldest or last used first, with the number of their projects and their last activity. Administrators see
 * nothing of an account's content.
 */
export const listAccounts = (
  db: Db,
  { limit, offset, order = 'oldest' }: { limit: number, offset: number, order?: keyof typeof accountOrder }
) =>
  db.selectFrom('account').select(accountColumns)
    .select(({ selectFrom }) => [
      selectFrom('project')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('project.account_id', '=', 'account.id')
        .$asScalar()
        .$notNull()
        .as('projects'),
      lastUsed.as('last_used_at')
    ])
    // The array has ids alone, so nothing is read of accounts that the page skips.
    .where('id', '=', ({ selectFrom }) => sql<string>`any(array(${
      selectFrom('account').select('id').where('deleted_at', 'is', null).orderBy(accountOrder[order]).limit(limit).offset(offset)}))`)
    .orderBy(accountOrder[order]).execute()

/** Number of accounts. */
export const countAccounts = async (db: Db): Promise<number> =>
  (await db.selectFrom('account').select(({ fn }) => fn.countAll<number>().as('total')).where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()).total

/** Number of accounts: all, those that are disabled, enabled administrators, and enabled ones that were used since a time. */
export const countAccountsByUse = (db: Db, usedSince: Date) =>
  db.selectFrom('account')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('disabled_at', 'is not', null).as('disabled'),
      fn.countAll<number>().filterWhere('disabled_at', 'is', null).filterWhere('administrator', '=', true).as('administrators'),
      fn.countAll<number>().filterWhere('disabled_at', 'is', null).filterWhere(eb(lastUsed, '>=', usedSince)).as('active')
    ])
    .where('deleted_at', 'is', null).executeTakeFirstOrThrow()

/** Undefined if there is no such account. */
export const findAccount = (db: Db, id: string) =>
  db.selectFrom('account').select([...accountColumns, 'email_confirmed_at', 'feed_token_version']).where('id', '=', id)
    .where('deleted_at', 'is', null).executeTakeFirst()

/** The account of an address, with its password hash. @param email in lower case */
export const findAccountByEmail = (db: Db, email: string) =>
  db.selectFrom('account').select([...accountColumns, 'password_hash']).where('email', '=', email)
    .where('deleted_at', 'is', null).executeTakeFirst()

/**
 * Sets a password and ends the account's other sessions and its links that set a password. The account is updated first: createSession
 * reads it under a lock, so a concurrent login either sees the new password or is among the sessions that end.
 * @param currentHash expected hash of the current password; undefined: any
 * @param except id of a session to keep
 * @param revokesKeys whether the account's MCP keys are deleted too
 * @returns false if the current hash is a different one
 */
export const setPassword = (
  db: Db,
  accountId: string,
  password_hash: string,
  {
    currentHash,
    except,
    revokesKeys = false
  }: { currentHash?: string, except?: string | undefined, revokesKeys?: boolean | undefined } = {}
) =>
  db.transaction().execute(async transaction => {
    const changed = await transaction.updateTable('account').set({ password_hash }).where('id', '=', accountId)
      .$if(currentHash !== undefined, query => query.where('password_hash', '=', currentHash!)).returning('id').executeTakeFirst()
    if (changed === undefined) return false
    await endAccess(transaction, accountId, { except, revokesKeys })
    return true
  })

async function endAccess (
  transaction: Db,
  accountId: string,
  { except, revokesKeys }: { except?: string | undefined, revokesKeys: boolean }
): Promise<void> {
  await endSessions(transaction, accountId, except)
  await endPasswordResets(transaction, accountId)
  if (revokesKeys) await deleteKeys(transaction, accountId)
}

/**
 * Sets a password with a link that was mailed, which proves the account's address, and ends the account's sessions and links, all at
 * once: after an error, the link still works. Of several concurrent calls one succeeds. Authenticates: the hash of the token is in the
 * condition.
 * @returns whether the link could be used
 */
export const setPasswordWithLink = (
  db: Db,
  password_hash: string,
  { hash, now, nextSendAt, revokesKeys = false }: Confirmation & { hash: Buffer, revokesKeys?: boolean | undefined }
): Promise<boolean> =>
  db.transaction().execute(async transaction => {
    const reset = await findPasswordReset(transaction, { hash, now })
    if (reset === undefined) return false
    const { account_id: accountId } = reset
    // The account comes first, as in setPassword: the other order could deadlock with it.
    await transaction.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
    if (await usePasswordReset(transaction, { hash, now }) === undefined) return false
    await transaction.updateTable('account').set({ password_hash }).where('id', '=', accountId).execute()
    await endAccess(transaction, accountId, { revokesKeys })
    await confirmAddress(transaction, accountId, { now, nextSendAt })
    return true
  })

/** An account's address and password hash. @throws RowNotFound */
export const getPassword = (db: Db, accountId: string) =>
  db.selectFrom('account').select(['email', 'password_hash']).where('id', '=', accountId).executeTakeFirstOrThrow()

/**
 * Changes what administrators may change of an account. At least one enabled administrator remains, also under concurrent changes.
 * @returns undefined if there is no such account, `last` if it is the only enabled administrator
 */
export const updateAccount = (db: Db, id: string, change: { administrator?: boolean, disabled_at?: Date | null }) =>
  db.transaction().execute(async transaction => {
    await lockAccounts(transaction)
    const account = await transaction.selectFrom('account').select(accountColumns).where('id', '=', id)
      .where('deleted_at', 'is', null).executeTakeFirst()
    if (account === undefined) return undefined
    const changed = { ...account, ...change }
    const another = transaction
      .selectFrom('account')
      .select('id')
      .where('administrator', '=', true)
      .where('disabled_at', 'is', null)
      .where('id', '!=', id)
      .limit(1)
    if (!(changed.administrator && changed.disabled_at === null) && (await another.executeTakeFirst()) === undefined) return 'last' as const
    const { administrator, disabled_at } = changed
    const updated = await transaction
      .updateTable('account')
      .set({ administrator, disabled_at })
      .where('id', '=', id)
      .returning(accountColumns)
      .executeTakeFirstOrThrow()
    // After the update, as in setPassword.
    if (disabled_at !== null) await endSessions(transaction, id)
    return updated
  })

/** Makes the oldest account an administrator if there is none. */
export const appointAdministrator = (db: Db) =>
  db
    .updateTable('account')
    .set({ administrator: true })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('account as oldest').select('oldest.id').where('oldest.deleted_at', 'is', null)
        .orderBy('oldest.created_at').orderBy('oldest.id').limit(1)
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('account as other').select('other.id').where('other.administrator', '=', true)))
    )
    .execute()

/** @throws RowNotFound */
export const findTimeZone = async (db: Db, accountId: string): Promise<string> =>
  (await db.selectFrom('account').select('time_zone').where('id', '=', accountId).executeTakeFirstOrThrow()).time_zone

/** Sets the time zone of the account's digests. @throws RowNotFound */
export const setTimeZone = (db: Db, accountId: string, time_zone: string) =>
  db.updateTable('account').set({ time_zone }).where('id', '=', accountId).returning(accountColumns).executeTakeFirstOrThrow()

/** Invalidates the account's feed tokens. @returns the version of the new one. @throws RowNotFound */
export const rotateFeedToken = (db: Db, accountId: string) =>
  db.updateTable('account').set(({ eb }) => ({ feed_token_version: eb('feed_token_version', '+', 1) }))
    .where('id', '=', accountId).returning('feed_token_version').executeTakeFirstOrThrow()
