import type { Db } from '../connection.js'
import { endSessions } from './sessions.js'

const shown = ['id', 'email', 'administrator', 'disabled_at', 'created_at'] as const

interface NewAccount { email: string, password_hash: string }

/** The first account administers the service. @returns the new account, undefined when the address is taken */
export const createAccount = async (db: Db, account: NewAccount) =>
  await createFirstAccount(db, account) ?? await insertAccount(db, { ...account, administrator: false })

/**
 * Makes the account only while there is none. The lock lets one of several simultaneous first registrations through.
 * @returns undefined when an account exists
 */
export const createFirstAccount = (db: Db, account: NewAccount) =>
  db.transaction().execute(async transaction => {
    await lockAccounts(transaction)
    if (await hasAccount(transaction)) return undefined
    return await insertAccount(transaction, { ...account, administrator: true })
  })

const insertAccount = (db: Db, account: NewAccount & { administrator: boolean }) =>
  db.insertInto('account').values(account).onConflict(conflict => conflict.column('email').doNothing()).returning(shown).executeTakeFirst()

const lockAccounts = (transaction: Db) => transaction.selectNoFrom(({ fn, val }) => fn('pg_advisory_xact_lock', [val(8241)]).as('lock')).execute()

export async function hasAccount (db: Db): Promise<boolean> {
  return await db.selectFrom('account').select('id').limit(1).executeTakeFirst() !== undefined
}

/** Every account, oldest first, with what an administrator sees of it: how much it has, never what. */
export const listAccounts = (db: Db) =>
  db.selectFrom('account').select(shown)
    .select(({ selectFrom }) => [
      selectFrom('project').select(({ fn }) => fn.countAll<number>().as('count')).whereRef('project.account_id', '=', 'account.id').$asScalar().$notNull().as('projects'),
      selectFrom('session').select(({ fn }) => fn.max('session.last_used_at').as('time')).whereRef('session.account_id', '=', 'account.id').as('session_used_at'),
      selectFrom('mcp_key').select('mcp_key.last_used_at').whereRef('mcp_key.account_id', '=', 'account.id').as('key_used_at')
    ])
    .orderBy('created_at').orderBy('id').execute()

export const findAccount = (db: Db, id: string) =>
  db.selectFrom('account').select([...shown, 'feed_token_version']).where('id', '=', id).executeTakeFirst()

export const findAccountByEmail = (db: Db, email: string) =>
  db.selectFrom('account').select([...shown, 'password_hash']).where('email', '=', email).executeTakeFirst()

/**
 * Sets a password and ends every login that the old one made, but the one that sets it. The account is changed first: createSession looks at it
 * under a lock, so that a login meanwhile either sees the new password or is among those that end.
 * @param replaced what must be the password's hash still; left out, whatever it is
 * @returns false where it is another one by now
 */
export const setPassword = (db: Db, accountId: string, password_hash: string, { replaced, except }: { replaced?: string, except?: string | undefined } = {}) =>
  db.transaction().execute(async transaction => {
    const changed = await transaction.updateTable('account').set({ password_hash }).where('id', '=', accountId)
      .$if(replaced !== undefined, query => query.where('password_hash', '=', replaced!)).returning('id').executeTakeFirst()
    if (changed === undefined) return false
    await endSessions(transaction, accountId, except)
    return true
  })

export const findPassword = (db: Db, accountId: string) =>
  db.selectFrom('account').select(['email', 'password_hash']).where('id', '=', accountId).executeTakeFirstOrThrow()

/**
 * Changes what an administrator may change. Somebody who can administer the service stays, however many changes come at once.
 * @returns undefined when there is no such account, `last` when it is the only one that can administer the service
 */
export const updateAccount = (db: Db, id: string, change: { administrator?: boolean, disabled_at?: Date | null }) =>
  db.transaction().execute(async transaction => {
    await lockAccounts(transaction)
    const account = await transaction.selectFrom('account').select(shown).where('id', '=', id).executeTakeFirst()
    if (account === undefined) return undefined
    const changed = { ...account, ...change }
    const another = transaction.selectFrom('account').select('id').where('administrator', '=', true).where('disabled_at', 'is', null).where('id', '!=', id).limit(1)
    if (!(changed.administrator && changed.disabled_at === null) && await another.executeTakeFirst() === undefined) return 'last' as const
    const { administrator, disabled_at } = changed
    const updated = await transaction.updateTable('account').set({ administrator, disabled_at }).where('id', '=', id).returning(shown).executeTakeFirstOrThrow()
    // After the account, as in setPassword.
    if (disabled_at !== null) await endSessions(transaction, id)
    return updated
  })

/** Makes the oldest account an administrator where none is. */
export const appointAdministrator = (db: Db) =>
  db.updateTable('account').set({ administrator: true })
    .where('id', '=', ({ selectFrom }) => selectFrom('account as oldest').select('oldest.id').orderBy('oldest.created_at').orderBy('oldest.id').limit(1))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('account as other').select('other.id').where('other.administrator', '=', true)))).execute()

/** @returns the feed token's new version */
export const rotateFeedToken = (db: Db, accountId: string) =>
  db.updateTable('account').set(({ eb }) => ({ feed_token_version: eb('feed_token_version', '+', 1) }))
    .where('id', '=', accountId).returning('feed_token_version').executeTakeFirstOrThrow()
