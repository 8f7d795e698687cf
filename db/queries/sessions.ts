import type { Db } from '../connection.js'

interface NewSession { id: string, account_id: string, kind?: 'token' | 'browser', refresh_token_hash: Buffer, user_agent?: string, last_used_at?: Date, expires_at: Date }

export const createSession = (db: Db, session: NewSession) =>
  db.insertInto('session').values(session).execute()

/** The account of a login that has not ended. */
export const findSession = (db: Db, id: string, now: Date) =>
  db.selectFrom('session').select('account_id').where('id', '=', id).where('expires_at', '>', now).executeTakeFirst()

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
  db.updateTable('session').set({ refresh_token_hash: next, expires_at })
    .where('id', '=', id).where('refresh_token_hash', '=', used).where('expires_at', '>', now)
    .returning('account_id').executeTakeFirst()

export const endSession = (db: Db, id: string) =>
  db.deleteFrom('session').where('id', '=', id).execute()

export const endExpiredSessions = (db: Db, accountId: string, now: Date) =>
  db.deleteFrom('session').where('account_id', '=', accountId).where('expires_at', '<=', now).execute()
