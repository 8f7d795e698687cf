import type { Db } from '../connection.js'

interface NewKey { account_id: string, prefix: string, secret_hash: string, secret_check: Buffer }

/** The hashes to verify a key against; undefined also if its account is disabled. Before authentication: a key's prefix names no account. */
export const findKey = (db: Db, prefix: string) =>
  db.selectFrom('mcp_key').innerJoin('account', 'account.id', 'mcp_key.account_id')
    .select(['account_id', 'secret_hash', 'secret_check', 'last_used_at']).where('prefix', '=', prefix).where('disabled_at', 'is', null).executeTakeFirst()

/** The account's key without its hashes. */
export const findKeyOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('mcp_key').select(['prefix', 'created_at', 'last_used_at']).where('account_id', '=', accountId).executeTakeFirst()

/** Creates the account's key, replacing the one it has. An account has one key at most. */
export const replaceKey = (db: Db, key: NewKey, now: Date) =>
  db.insertInto('mcp_key').values({ ...key, created_at: now })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet({ ...key, created_at: now, last_used_at: null }))
    .returning(['prefix', 'created_at']).executeTakeFirstOrThrow()

/** Deletes the account's key, if it has one. */
export const deleteKey = (db: Db, accountId: string) =>
  db.deleteFrom('mcp_key').where('account_id', '=', accountId).execute()

/** Records that the account used the key, unless another has replaced it. */
export const markKeyUsed = (db: Db, accountId: string, prefix: string, now: Date) =>
  db.updateTable('mcp_key').set({ last_used_at: now }).where('account_id', '=', accountId).where('prefix', '=', prefix).execute()
