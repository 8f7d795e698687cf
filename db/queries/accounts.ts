import type { Db } from '../connection.js'

const shown = ['id', 'email', 'administrator', 'disabled_at', 'created_at'] as const

interface NewAccount { email: string, password_hash: string }

/** The first account administers the service. @returns the new account, undefined when the address is taken */
export const createAccount = async (db: Db, account: NewAccount) =>
  await createFirstAccount(db, account) ?? await insertAccount(db, { ...account, administrator: false })

/**
 * Makes the account only while there is none. The advisory lock lets one of several simultaneous first registrations through.
 * @returns undefined when an account exists
 */
export const createFirstAccount = (db: Db, account: NewAccount) =>
  db.transaction().execute(async transaction => {
    await transaction.selectNoFrom(({ fn, val }) => fn('pg_advisory_xact_lock', [val(8241)]).as('lock')).execute()
    if (await hasAccount(transaction)) return undefined
    return await insertAccount(transaction, { ...account, administrator: true })
  })

const insertAccount = (db: Db, account: NewAccount & { administrator: boolean }) =>
  db.insertInto('account').values(account).onConflict(conflict => conflict.column('email').doNothing()).returning(shown).executeTakeFirst()

export async function hasAccount (db: Db): Promise<boolean> {
  return await db.selectFrom('account').select('id').limit(1).executeTakeFirst() !== undefined
}

export const listAccounts = (db: Db) =>
  db.selectFrom('account').select(shown).orderBy('created_at').orderBy('id').execute()

export const findAccount = (db: Db, id: string) =>
  db.selectFrom('account').select([...shown, 'feed_token_version']).where('id', '=', id).executeTakeFirst()

export const findAccountByEmail = (db: Db, email: string) =>
  db.selectFrom('account').select([...shown, 'password_hash']).where('email', '=', email).executeTakeFirst()

/** Sets a password and ends every login that the old one made. */
export const setPassword = (db: Db, accountId: string, password_hash: string) =>
  db.transaction().execute(async transaction => {
    await transaction.updateTable('account').set({ password_hash }).where('id', '=', accountId).execute()
    await transaction.deleteFrom('session').where('account_id', '=', accountId).execute()
  })

/** @returns the feed token's new version */
export const rotateFeedToken = (db: Db, accountId: string) =>
  db.updateTable('account').set(({ eb }) => ({ feed_token_version: eb('feed_token_version', '+', 1) }))
    .where('id', '=', accountId).returning('feed_token_version').executeTakeFirstOrThrow()
