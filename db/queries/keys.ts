import type { Db } from '../connection.js'

interface NewKey { account_id: string, prefix: string, secret_hash: string, secret_check: Buffer }

/** What a caller's key is checked against; undefined also where its account is disabled. */
export const findKey = (db: Db, prefix: string) =>
  db.selectFrom('mcp_key').innerJoin('account', 'account.id', 'mcp_key.account_id')
    .select(['account_id', 'secret_hash', 'secret_check', 'last_used_at']).where('prefix', '=', prefix).where('disabled_at', 'is', null).executeTakeFirst()

export const findKeyOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('mcp_key').select(['prefix', 'created_at', 'last_used_at']).where('account_id', '=', accountId).executeTakeFirst()

/** One key an account: the new one takes the old one's place in the same statement. */
export const replaceKey = (db: Db, key: NewKey, now: Date) =>
  db.insertInto('mcp_key').values({ ...key, created_at: now })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet({ ...key, created_at: now, last_used_at: null }))
    .returning(['prefix', 'created_at']).executeTakeFirstOrThrow()

export const deleteKey = (db: Db, accountId: string) =>
  db.deleteFrom('mcp_key').where('account_id', '=', accountId).execute()

export const markKeyUsed = (db: Db, prefix: string, now: Date) =>
  db.updateTable('mcp_key').set({ last_used_at: now }).where('prefix', '=', prefix).execute()
