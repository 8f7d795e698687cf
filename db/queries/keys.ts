import { type Insertable, sql } from 'kysely'
import type { Db } from '../connection.js'
import { UniqueViolation } from '../errors.js'
import type { McpKeyTable } from '../tables/accounts.js'

/** A key without its hashes. */
const columns = [
  'id',
  'name',
  'prefix',
  'scope',
  'project_ids',
  'expires_at',
  'created_at',
  'last_used_at',
  'client_name',
  'client_version'
] as const

type NewKey = Insertable<McpKeyTable> & { name: string }

/**
 * Finds the hash and grant of a key; undefined also if its account is disabled. Before authentication: a key prefix names no
 * account.
 */
export const findKey = (db: Db, keyPrefix: string) =>
  db.selectFrom('mcp_key').innerJoin('account', 'account.id', 'mcp_key.account_id')
    .select(['mcp_key.id', 'account_id', 'name', 'scope', 'project_ids', 'secret_hash', 'secret_check', 'expires_at', 'last_used_at'])
    .where('prefix', '=', keyPrefix).where('disabled_at', 'is', null).executeTakeFirst()

/** A page of the account's keys, oldest first. */
export const listKeys = (db: Db, accountId: string, { limit, offset }: { limit: number, offset: number }) =>
  db.selectFrom('mcp_key').select(columns).where('account_id', '=', accountId).orderBy('created_at').orderBy('id')
    .limit(limit).offset(offset).execute()

/** A key without its hashes. */
export type KeyDetails = Awaited<ReturnType<typeof listKeys>>[number]

/** The account's key of this name; undefined without one. */
export const findKeyByName = (db: Db, accountId: string, name: string) =>
  db.selectFrom('mcp_key').select(columns).where('account_id', '=', accountId).where('name', '=', name).executeTakeFirst()

/**
 * Creates a key.
 * @param maxProjects projects that all keys may be limited to, counted for each key
 * @returns undefined if the account has one of this name, 'full' if it has `maxKeys`, the number of its keys' projects if they exceed
 * `maxProjects` with those of this key
 */
export const createKey = (
  db: Db,
  key: NewKey,
  maxKeys: number,
  maxProjects = Infinity
): Promise<KeyDetails | 'full' | number | undefined> =>
  db.transaction().execute(async transaction => {
    // The lock makes concurrent calls count one after another.
    await transaction.selectFrom('account').select('id').where('id', '=', key.account_id).forNoKeyUpdate().executeTakeFirst()
    const { count, projects } = await transaction
      .selectFrom('mcp_key')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        sql<number>`coalesce(sum(cardinality(project_ids)), 0)::integer`.as('projects')
      ])
      .where('account_id', '=', key.account_id)
      .executeTakeFirstOrThrow()
    if (count >= maxKeys) return 'full'
    const newProjects = key.project_ids?.length ?? 0
    if (newProjects > 0 && projects + newProjects > maxProjects) return projects
    return await transaction
      .insertInto('mcp_key')
      .values(key)
      .onConflict(conflict => conflict.columns(['account_id', 'name']).doNothing())
      .returning(columns)
      .executeTakeFirst()
  })

/** Creates the account's key of this name, or gives it a new secret: its scope and projects stay, its expiry and last use are cleared. */
export const replaceKey = (db: Db, key: NewKey, now: Date) =>
  db.insertInto('mcp_key').values({ ...key, created_at: now })
    .onConflict(conflict => conflict.columns(['account_id', 'name'])
      .doUpdateSet({ ...key, created_at: now, expires_at: null, last_used_at: null, client_name: null, client_version: null }))
    .returning(columns).executeTakeFirstOrThrow()

/** Gives a key a new secret, and clears its last use. @returns undefined if the key is missing or another account's */
export const replaceSecret = (
  db: Db,
  accountId: string,
  id: string,
  secret: Pick<NewKey, 'prefix' | 'secret_hash' | 'secret_check'>
) =>
  db.updateTable('mcp_key').set({ ...secret, last_used_at: null, client_name: null, client_version: null })
    .where('account_id', '=', accountId).where('id', '=', id).returning(columns).executeTakeFirst()

/** Renames a key. @returns undefined if the key is missing or another account's, "taken" if another key of the account has the name */
export async function renameKey (db: Db, accountId: string, id: string, name: string): Promise<KeyDetails | 'taken' | undefined> {
  try {
    return await db
      .updateTable('mcp_key')
      .set({ name })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst()
  } catch (error) {
    if (error instanceof UniqueViolation) return 'taken'
    throw error
  }
}

/** Deletes a key. @returns whether the account had it */
export async function deleteKey (db: Db, accountId: string, id: string): Promise<boolean> {
  return (
    (await db.deleteFrom('mcp_key').where('account_id', '=', accountId).where('id', '=', id).returning('id').executeTakeFirst()) !==
    undefined
  )
}

/** Deletes the account's key of this name, if it has one. */
export const deleteKeyByName = (db: Db, accountId: string, name: string) =>
  db.deleteFrom('mcp_key').where('account_id', '=', accountId).where('name', '=', name).execute()

/** Records that the account used the key, unless its secret was replaced. */
export const markKeyUsed = (db: Db, accountId: string, keyPrefix: string, now: Date) =>
  db.updateTable('mcp_key').set({ last_used_at: now }).where('account_id', '=', accountId).where('prefix', '=', keyPrefix).execute()

/** Records the client that uses the key. Writes nothing if it is the one recorded last. */
export const recordKeyClient = (db: Db, accountId: string, id: string, { name, version }: { name: string, version: string | null }) =>
  db.updateTable('mcp_key').set({ client_name: name, client_version: version }).where('account_id', '=', accountId).where('id', '=', id)
    .where(({ eb, or }) => or([eb('client_name', 'is distinct from', name), eb('client_version', 'is distinct from', version)])).execute()

/** Deletes every key of the account. */
export const deleteKeys = (db: Db, accountId: string) =>
  db.deleteFrom('mcp_key').where('account_id', '=', accountId).execute()
