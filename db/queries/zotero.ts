import { type Insertable, sql } from 'kysely'
import { dayMs, hourMs, minuteMs } from '../../schemas/durations.js'
import type { ZoteroCollection } from '../../schemas/zotero.js'
import type { Db } from '../connection.js'
import type { ZoteroAccountTable, ZoteroPosition } from '../tables/zotero.js'
import { deleteBatches } from './delete-batches.js'
import { listDue } from './due.js'
import { isOwnProject } from './ownership.js'
import { unfinishedStates } from '../../schemas/job.js'
import { countZoteroStates } from './zotero-items.js'

/** Connects an account, or replaces its key. Another user's items are not those that the projects know. */
export async function saveZoteroAccount (db: Db, row: Insertable<ZoteroAccountTable> & { account_id: string }): Promise<void> {
  await db.transaction().execute(async transaction => {
    const before = await transaction
      .selectFrom('zotero_account')
      .select('user_id')
      .where('account_id', '=', row.account_id)
      .forUpdate()
      .executeTakeFirst()
    if (before !== undefined && before.user_id !== row.user_id) await deleteSyncs(transaction, row.account_id)
    const { account_id, ...values } = row
    await transaction.insertInto('zotero_account').values(row)
      .onConflict(conflict => conflict.column('account_id').doUpdateSet({ ...values, rejected_at: null, paused_until: null }))
      .execute()
    await transaction.updateTable('zotero_sync').set({ next_sync_at: sql<Date>`now()`, last_error: null })
      .where('project_id', 'in', ({ selectFrom }) => selectFrom('project').select('id').where('account_id', '=', account_id))
      .execute()
  })
  await forgetUnsyncedItems(db, row.account_id)
}

/** Undefined if the account is not connected. */
export const findZoteroAccount = (db: Db, accountId: string) =>
  db.selectFrom('zotero_account').selectAll().where('account_id', '=', accountId).executeTakeFirst()

/** Deletes the key, what the projects sync, and which items they know. @returns whether the account was connected */
export async function deleteZoteroAccount (db: Db, accountId: string): Promise<boolean> {
  const deleted = await db.transaction().execute(async transaction => {
    await deleteSyncs(transaction, accountId)
    return await transaction.deleteFrom('zotero_account').where('account_id', '=', accountId).returning('account_id').executeTakeFirst()
  })
  await forgetUnsyncedItems(db, accountId)
  return deleted !== undefined
}

/** Stops syncing the account's projects. The caller forgets which items they know after the transaction. */
async function deleteSyncs (transaction: Db, accountId: string): Promise<void> {
  const own = sql<boolean>`project_id in (select id from project where account_id = ${accountId}::uuid)`
  await transaction.deleteFrom('zotero_sync').where(own).execute()
  await transaction.deleteFrom('job').where('task', '=', 'sync-zotero').where('account_id', '=', accountId).where('state', '=', 'waiting')
    .execute()
}

/**
 * Records that Zotero rejected the account's key, or until when it asked for a pause, unless the key was replaced meanwhile.
 * @param sealedKey as it was read @returns whether the account still has the key
 */
export const updateZoteroAccount = async (
  db: Db,
  accountId: string,
  sealedKey: Uint8Array,
  change: { rejected_at?: Date, paused_until?: Date | null }
): Promise<boolean> =>
  await db.updateTable('zotero_account').set(change).where('account_id', '=', accountId).where('api_key', '=', Buffer.from(sealedKey))
    .returning('account_id').executeTakeFirst() !== undefined

/**
 * Forgets the items of projects that stopped syncing, batch by batch. @param accountId null: of all accounts, for maintenance, where a
 * process ended that forgot them
 */
export async function forgetUnsyncedItems (db: Db, accountId: string | null): Promise<void> {
  const projects = await db
    .selectFrom('project')
    .select('id')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('zotero_sync').select('project_id').whereRef('zotero_sync.project_id', '=', 'project.id'))))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('zotero_item').select('item_key').whereRef('zotero_item.project_id', '=', 'project.id')))
    .$if(accountId !== null, query => query.where('account_id', '=', accountId))
    .execute()
  for (const { id } of projects) {
    // A project that syncs again meanwhile keeps what it learns.
    const isUnsynced = sql`project_id = ${id}::uuid and not exists (select from zotero_sync where zotero_sync.project_id = ${id}::uuid)`
    await deleteBatches(db, 'zotero_item', isUnsynced, 1000)
  }
}

/** Sync settings. */
export interface ZoteroSyncValues {
  library: string
  library_name: string
  collections: readonly ZoteroCollection[]
  learn: boolean
  target: ZoteroCollection | null
}

/**
 * Sets what the account's project syncs, from now on. Collections that it read before continue where they were, but not one that was only
 * the target, of which no item entered the feed; items that Zotero rejected are sent again. @returns false if the project is missing or
 * another account's
 */
export async function saveZoteroSync (db: Db, accountId: string, projectId: string, values: ZoteroSyncValues): Promise<boolean> {
  await forgetUnsyncedItems(db, accountId)
  return await db.transaction().execute(async transaction => {
    const project = await transaction.selectFrom('project').select('id').where('account_id', '=', accountId).where('id', '=', projectId)
      .forNoKeyUpdate().executeTakeFirst()
    if (project === undefined) return false
    const before = await transaction.selectFrom('zotero_sync').select(['library', 'positions', 'collections', 'target'])
      .where('project_id', '=', projectId).executeTakeFirst()
    const isSameLibrary = before?.library === values.library
    const keysOf = (collections: readonly ZoteroCollection[] = []) => new Set(collections.map(({ key }) => key))
    const [entering, entered] = [keysOf(values.collections), keysOf(before?.collections)]
    const isRead = (key: string) => entering.has(key) ? entered.has(key) : key === values.target?.key && key === before?.target?.key
    const kept = isSameLibrary ? Object.entries(before.positions).filter(([key]) => isRead(key)) : []
    const row = {
      ...values,
      collections: JSON.stringify(values.collections),
      target: values.target === null ? null : JSON.stringify(values.target),
      positions: JSON.stringify(Object.fromEntries(kept)),
      ...(isSameLibrary ? {} : { deleted_version: null }),
      next_sync_at: sql<Date>`now()`,
      last_error: null
    }
    await transaction.insertInto('zotero_sync').values({ project_id: projectId, ...row })
      .onConflict(conflict => conflict.column('project_id').doUpdateSet(row)).execute()
    await transaction.deleteFrom('zotero_item').where('project_id', '=', projectId).where('state', '=', 'refused').execute()
    return true
  })
}

/** Stops syncing the account's project. @returns whether it did sync */
export async function deleteZoteroSync (db: Db, accountId: string, projectId: string): Promise<boolean> {
  const deleted = await db.deleteFrom('zotero_sync').where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId)).returning('project_id').executeTakeFirst()
  if (deleted !== undefined) await forgetUnsyncedItems(db, accountId)
  return deleted !== undefined
}

/** Sync settings of the account's project. */
export const findZoteroSync = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('zotero_sync').selectAll().where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).executeTakeFirst()

/** Sync settings of the account's project, item counts by state, and whether a sync waits or runs. */
export async function findZoteroSyncStatus (db: Db, accountId: string, projectId: string) {
  const sync = await db
    .selectFrom('zotero_sync')
    .selectAll()
    .select(({ selectFrom, exists }) =>
      exists(
        selectFrom('job').select('job.id').whereRef('job.project_id', '=', 'zotero_sync.project_id')
          .where('job.task', '=', 'sync-zotero').where('job.state', 'in', unfinishedStates)
      ).as('syncing'))
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .executeTakeFirst()
  return sync && { ...sync, counts: await countZoteroStates(db, accountId, projectId) }
}

/** Sync settings of a project. */
export type ZoteroSyncDetails = NonNullable<Awaited<ReturnType<typeof findZoteroSync>>>

/** Whether the account's project still syncs as it did when `details` were read: the sync was not stopped, restarted or changed. */
export async function isSameZoteroSync (db: Db, accountId: string, details: ZoteroSyncDetails): Promise<boolean> {
  const current = await db.selectFrom('zotero_sync').select(['library', 'collections', 'learn', 'target', 'created_at'])
    .where('project_id', '=', details.project_id).where(isOwnProject(accountId, details.project_id)).executeTakeFirst()
  return current !== undefined && settingsOf(current) === settingsOf(details)
}

type Settings = Pick<ZoteroSyncDetails, 'library' | 'collections' | 'learn' | 'target' | 'created_at'>

const settingsOf = ({ library, collections, learn, target, created_at }: Settings): string =>
  JSON.stringify([library, collections.map(({ key }) => key), learn, target?.key, created_at])

/** Saves how far a collection of the account's project was read. */
export const saveZoteroPosition = (db: Db, accountId: string, projectId: string, collection: string, position: ZoteroPosition) =>
  db
    .updateTable('zotero_sync')
    .set({ positions: sql`positions || jsonb_build_object(${collection}::text, ${JSON.stringify(position)}::jsonb)` as never })
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .execute()

/** Records how a sync of the account's project went, and when the next one is due. */
export const updateZoteroSync = (
  db: Db,
  accountId: string,
  projectId: string,
  change: { next_sync_at?: Date, last_synced_at?: Date, last_error?: string | null, deleted_version?: number }
) => db.updateTable('zotero_sync').set(change).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).execute()

/** Longer than a pause that Zotero asks for, and than a sync without one waits. Later times were set by a clock that ran ahead. */
const [maxPauseMs, maxDelayMs] = [dayMs + minuteMs, hourMs + minuteMs]

/** Until when Zotero asked for a pause, unless that has passed. */
export function pauseEnd ({ paused_until }: { paused_until: Date | null }, now: Date): Date | null {
  if (paused_until === null || paused_until <= now || paused_until.getTime() > now.getTime() + maxPauseMs) return null
  return paused_until
}

/** Service-wide, for the ticker: projects whose sync is due, of accounts that are connected and not disabled; see `listDue`. */
export const listDueZoteroSyncs = (db: Db, now: Date, id?: string) => {
  const due = db
    .selectFrom('zotero_sync')
    .innerJoin('project', 'project.id', 'zotero_sync.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .innerJoin('zotero_account', 'zotero_account.account_id', 'project.account_id')
    .select(['project.id', 'project.account_id', 'zotero_sync.next_sync_at as due_at'])
    .where(({ or, eb }) => or([eb('next_sync_at', '<=', now), eb('next_sync_at', '>', new Date(now.getTime() + maxDelayMs))]))
    .where('account.disabled_at', 'is', null)
    .where('project.matching_state', '=', 'active')
    .where('zotero_account.rejected_at', 'is', null)
    .where(({ eb, or }) => or([
      eb('paused_until', 'is', null),
      eb('paused_until', '<=', now),
      eb('paused_until', '>', new Date(now.getTime() + maxPauseMs))
    ]))
  return listDue(db, 'sync-zotero', due, id)
}
