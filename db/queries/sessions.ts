import type { Insertable } from 'kysely'
import type { Db } from '../connection.js'
import type { SessionTable } from '../tables/accounts.js'

/** The accounts that are not disabled: a login that overtook the disabling of its account must not work either. */
const enabled = (db: Db) => db.selectFrom('account').select('id').where('disabled_at', 'is', null)

/**
 * Adds a login, if the password that was looked at is still the account's, and the account is not disabled. The lock makes whoever changes the
 * account wait until the login is there to be ended.
 * @returns whether it was added
 */
export const createSession = (db: Db, { password_hash, ...session }: Insertable<SessionTable> & { id: string, password_hash: string }): Promise<boolean> =>
  db.transaction().execute(async transaction => {
    const account = await transaction.selectFrom('account').select('id')
      .where('id', '=', session.account_id).where('password_hash', '=', password_hash).where('disabled_at', 'is', null).forShare().executeTakeFirst()
    if (account === undefined) return false
    await transaction.insertInto('session').values(session).execute()
    return true
  })

/** A login that has not ended. */
export const findSession = (db: Db, id: string, now: Date) =>
  db.selectFrom('session').select(['account_id', 'last_used_at']).where('id', '=', id).where('expires_at', '>', now).where('account_id', 'in', enabled(db)).executeTakeFirst()

export const markSessionUsed = (db: Db, id: string, now: Date) =>
  db.updateTable('session').set({ last_used_at: now }).where('id', '=', id).execute()

/** The account's logins that have not ended, last used first. */
export const listSessions = (db: Db, accountId: string, now: Date) =>
  db.selectFrom('session').select(['id', 'kind', 'user_agent', 'created_at', 'last_used_at', 'expires_at'])
    .where('account_id', '=', accountId).where('expires_at', '>', now)
    .orderBy(({ fn }) => fn.coalesce('last_used_at', 'created_at'), 'desc').orderBy('id').execute()

/** The account that a cookie stands for, unless the session has ended or the account is switched off. */
export const findBrowserSession = (db: Db, { id, hash, now }: { id: string, hash: Buffer, now: Date }) =>
  db.selectFrom('session').innerJoin('account', 'account.id', 'session.account_id')
    .select(['account_id', 'email', 'administrator', 'session.last_used_at'])
    .where('session.id', '=', id).where('kind', '=', 'browser').where('refresh_token_hash', '=', hash)
    .where('expires_at', '>', now).where('disabled_at', 'is', null).executeTakeFirst()

/** Notes that a session is in use, and gives it more time. */
export const useSession = (db: Db, { id, now, expires_at }: { id: string, now: Date, expires_at: Date }) =>
  db.updateTable('session').set({ last_used_at: now, expires_at }).where('id', '=', id).execute()

/**
 * Replaces the refresh token, if it is the newest one of its session.
 * @returns the account, undefined when the token was used before, or the session has ended
 */
export const rotateSession = (db: Db, { id, used, next, expires_at, now }: { id: string, used: Buffer, next: Buffer, expires_at: Date, now: Date }) =>
  db.updateTable('session').set({ refresh_token_hash: next, expires_at, last_used_at: now })
    .where('id', '=', id).where('kind', '=', 'token').where('refresh_token_hash', '=', used).where('expires_at', '>', now).where('account_id', 'in', enabled(db))
    .returning('account_id').executeTakeFirst()

export const endSession = (db: Db, id: string) =>
  db.deleteFrom('session').where('id', '=', id).execute()

/** Ends a program's login, whose refresh token came again. */
export const endTokenSession = (db: Db, id: string) =>
  db.deleteFrom('session').where('id', '=', id).where('kind', '=', 'token').execute()

/** @returns whether the account had such a login */
export async function endSessionOf (db: Db, accountId: string, id: string): Promise<boolean> {
  return await db.deleteFrom('session').where('account_id', '=', accountId).where('id', '=', id).returning('id').executeTakeFirst() !== undefined
}

/** Ends every login of an account, but one where it is given. */
export const endSessions = (db: Db, accountId: string, except?: string) =>
  db.deleteFrom('session').where('account_id', '=', accountId).$if(except !== undefined, query => query.where('id', '!=', except!)).execute()

export const endExpiredSessions = (db: Db, accountId: string, now: Date) =>
  db.deleteFrom('session').where('account_id', '=', accountId).where('expires_at', '<=', now).execute()
