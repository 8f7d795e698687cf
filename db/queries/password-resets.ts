import type { Insertable } from 'kysely'
import type { Db } from '../connection.js'
import type { PasswordResetTable } from '../tables/accounts.js'
import { enabledAccountIds } from './enabled-accounts.js'

/** Number of links that the account got since a time. */
export async function countPasswordResets (db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('password_reset')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Stores a link, which works until it is used or expires. */
export const savePasswordReset = (db: Db, reset: Insertable<PasswordResetTable>) => db.insertInto('password_reset').values(reset).execute()

/** Deletes a link of the account that was not sent. */
export const deletePasswordReset = (db: Db, accountId: string, hash: Buffer) =>
  db.deleteFrom('password_reset').where('account_id', '=', accountId).where('token_hash', '=', hash).execute()

/** A link that can be used now. Authenticates: the hash of the token is in the condition. */
interface UsableReset { hash: Buffer, now: Date }

/** The account of a link that is neither used nor expired, unless the account is disabled. */
export const findPasswordReset = (db: Db, { hash, now }: UsableReset) =>
  db.selectFrom('password_reset').innerJoin('account', 'account.id', 'password_reset.account_id').select(['account_id', 'email'])
    .where('token_hash', '=', hash).where('used', '=', false).where('expires_at', '>', now).where('disabled_at', 'is', null)
    .executeTakeFirst()

/** Uses a link. Of several concurrent calls one succeeds. @returns the account; undefined if the link cannot be used */
export const usePasswordReset = (db: Db, { hash, now }: UsableReset) =>
  db
    .updateTable('password_reset')
    .set({ used: true })
    .where('token_hash', '=', hash)
    .where('used', '=', false)
    .where('expires_at', '>', now)
    .where('account_id', 'in', enabledAccountIds(db))
    .returning('account_id')
    .executeTakeFirst()

/** Ends all links of the account. They still count as sent. */
export const endPasswordResets = (db: Db, accountId: string) =>
  db.updateTable('password_reset').set({ used: true }).where('account_id', '=', accountId).execute()

/** Upkeep: deletes the links that expired before a time. */
export const deleteExpiredPasswordResets = (db: Db, before: Date) =>
  db.deleteFrom('password_reset').where('expires_at', '<', before).execute()
