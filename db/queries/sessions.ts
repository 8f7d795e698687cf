import type { Insertable } from 'kysely'
import type { Db } from '../connection.js'
import type { SessionTable } from '../tables/accounts.js'
import { enabledAccountIds } from './enabled-accounts.js'

/** Sessions of one kind that an account may have: a program that signs in for each call makes thousands. */
const maxSessions = 200

/**
 * Creates a session if the account still has the verified password and is enabled. The lock makes concurrent changes of the account wait,
 * so that they can end the session. Ends the least recently used sessions of the kind beyond `maxSessions`.
 * @param password_hash that the login was verified against
 * @returns whether the session was created
 */
export const createSession = (
  db: Db,
  { password_hash, ...session }: Insertable<SessionTable> & { id: string, kind: 'token' | 'browser', password_hash: string }
): Promise<boolean> =>
  db.transaction().execute(async transaction => {
    const account = await transaction
      .selectFrom('account')
      .select('id')
      .where('id', '=', session.account_id)
      .where('password_hash', '=', password_hash)
      .where('disabled_at', 'is', null)
      .forShare()
      .executeTakeFirst()
    if (account === undefined) return false
    await transaction.insertInto('session').values(session).execute()
    await transaction
      .deleteFrom('session')
      .where('account_id', '=', session.account_id)
      .where('id', '<>', session.id)
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('session').select('id').where('account_id', '=', session.account_id).where('kind', '=', session.kind)
          .orderBy(({ fn }) => fn.coalesce('last_used_at', 'created_at'), 'desc').orderBy('id').offset(maxSessions)
      )
      .execute()
    return true
  })

/** A session of the account that has not ended. */
export const findSession = (db: Db, accountId: string, id: string, now: Date) =>
  db
    .selectFrom('session')
    .select('last_used_at')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .where('account_id', 'in', enabledAccountIds(db))
    .executeTakeFirst()

/** Records that the account used its session. */
export const markSessionUsed = (db: Db, accountId: string, id: string, now: Date) =>
  db.updateTable('session').set({ last_used_at: now }).where('account_id', '=', accountId).where('id', '=', id).execute()

/** The account's sessions that have not ended, last used first. */
export const listSessions = (db: Db, accountId: string, now: Date) =>
  db.selectFrom('session').select(['id', 'kind', 'user_agent', 'created_at', 'last_used_at', 'expires_at'])
    .where('account_id', '=', accountId).where('expires_at', '>', now)
    .orderBy(({ fn }) => fn.coalesce('last_used_at', 'created_at'), 'desc').orderBy('id').execute()

/**
 * The account and session of a cookie, unless the session has ended or the account is disabled. Authenticates: the hash of the secret is in
 * the condition.
 */
export const findBrowserSession = (db: Db, { id, hash, now }: { id: string, hash: Buffer, now: Date }) =>
  db.selectFrom('session').innerJoin('account', 'account.id', 'session.account_id')
    .select(['account_id', 'email', 'administrator', 'time_zone', 'session.last_used_at'])
    .where('session.id', '=', id).where('kind', '=', 'browser').where('refresh_token_hash', '=', hash)
    .where('expires_at', '>', now).where('disabled_at', 'is', null).executeTakeFirst()

/** Records that the account used its session, and extends it to `expires_at`. */
export const extendSession = (db: Db, accountId: string, { id, now, expires_at }: { id: string, now: Date, expires_at: Date }) =>
  db.updateTable('session').set({ last_used_at: now, expires_at }).where('account_id', '=', accountId).where('id', '=', id).execute()

/**
 * Replaces the refresh token of a session if it is the newest one. Authenticates: the hash of the token is in the condition.
 * @returns the account; undefined if the token was used before, the session has ended or the account is disabled
 */
export const rotateSession = (
  db: Db,
  { id, used, next, expires_at, now }: { id: string, used: Buffer, next: Buffer, expires_at: Date, now: Date }
) =>
  db
    .updateTable('session')
    .set({ refresh_token_hash: next, expires_at, last_used_at: now })
    .where('id', '=', id)
    .where('kind', '=', 'token')
    .where('refresh_token_hash', '=', used)
    .where('expires_at', '>', now)
    .where('account_id', 'in', enabledAccountIds(db))
    .returning('account_id')
    .executeTakeFirst()

/**
 * Ends a program's session whose refresh token was used twice. Before authentication: the signed token names the session and no account.
 */
export const endTokenSession = (db: Db, id: string) =>
  db.deleteFrom('session').where('id', '=', id).where('kind', '=', 'token').execute()

/** Ends one session. @returns whether the account had it */
export async function endSession (db: Db, accountId: string, id: string): Promise<boolean> {
  return (
    (await db.deleteFrom('session').where('account_id', '=', accountId).where('id', '=', id).returning('id').executeTakeFirst()) !==
    undefined
  )
}

/** Ends every session of an account, except one where `except` names it. */
export const endSessions = (db: Db, accountId: string, except?: string) =>
  db
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .$if(except !== undefined, query => query.where('id', '!=', except!))
    .execute()

/** Deletes the account's sessions that have expired. */
export const endExpiredSessions = (db: Db, accountId: string, now: Date) =>
  db.deleteFrom('session').where('account_id', '=', accountId).where('expires_at', '<=', now).execute()
