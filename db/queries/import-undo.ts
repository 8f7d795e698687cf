import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ProjectSource } from '../../schemas/project.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { forgetImportedSources } from './found-papers.js'
import { preferIndexOrder } from './index-order.js'
import { isAnnotated } from './item-state.js'
import { releaseImportFile, removeReleasedParts } from './library-imports.js'
import { isOwnProject } from './ownership.js'
import { scheduleScoring } from './relevance.js'
import { retryConflicts } from './retry.js'
import { syncSources } from './sources.js'

/** Rows that one transaction of an undo looks at, so that others run in between. */
const undoBatchSize = 500

/** An import to undo, and when its feed is rescored if votes go with it. */
export interface UndoneImport { projectId: string, id: string, now: Date, scoreAt: Date }

/**
 * Removes the items and journal feeds that an import added, and its votes, and rescores the feed without them. Papers and feeds that the
 * project had before stay, as do papers that a fetch or another import found too, those that the user rated or annotated, and votes that
 * changed since. An import that runs stops at its next batch.
 * Items are removed batch by batch; if the process ends, `listPendingUndos` has the import, and `removeImportedItems` continues.
 * @returns the numbers of what was removed; undefined if there is no such import, or it was undone before
 */
export async function undoLibraryImport (
  db: Db,
  accountId: string,
  undo: UndoneImport
): Promise<{ items: number, feeds: number } | undefined> {
  const feeds = await beginUndo(db, accountId, undo)
  if (feeds === undefined) return undefined
  const items = await removeImportedItems(db, accountId, undo)
  await removeReleasedParts(db, undo.id)
  return { items, feeds }
}

/** @returns the number of journal feeds that were removed; undefined if there is no such import, or it was undone before */
const beginUndo = (db: Db, accountId: string, { projectId, id, now }: UndoneImport): Promise<number | undefined> =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      // Locks the project first, as its deletion does: another order could deadlock.
      const project = await transaction
        .selectFrom('project')
        .select('sources')
        .where('account_id', '=', accountId)
        .where('id', '=', projectId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      const undone = await transaction
        .updateTable('library_import')
        .set({ undone_at: now, undo_pending: true })
        .where('account_id', '=', accountId)
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .where('undone_at', 'is', null)
        .where('complete', '=', true)
        .returning('feeds')
        .executeTakeFirst()
      if (project === undefined || undone === undefined) return undefined
      await releaseImportFile(transaction, accountId, id)
      return await removeFeeds(transaction, accountId, { projectId, sources: project.sources, addresses: undone.feeds ?? [], now })
    })
  )

/**
 * Removes the items of an import that was undone, except those that something else found and those that the user rated or annotated, its
 * votes on other items, and what it stated about papers. Idempotent.
 * @returns the number of removed items
 */
export async function removeImportedItems (db: Db, accountId: string, undo: UndoneImport): Promise<number> {
  const { projectId, id } = undo
  const inProject = sql<SqlBool>`project_id = ${projectId} and ${isOwnProject(accountId, projectId)}`
  const isImported = sql<SqlBool>`import_id = ${id} and ${inProject}`
  const isVotedOn = sql<SqlBool>`vote_import_id = ${id} and ${inProject}`
  const items = await changeBatches(db, accountId, undo, {
    condition: isImported,
    keep: (transaction, ids) => keepItems(transaction, undo, ids),
    change: sql`delete from project_paper`
  })
  // A vote marked its paper as seen.
  await changeBatches(db, accountId, undo, {
    condition: isVotedOn,
    change: sql`update project_paper set vote = null, vote_import_id = null, downvote_reason = null, voted_at = null,
      seen_at = case when seen_at = voted_at then null else seen_at end`
  })
  await forgetImportedSources(db, accountId, { projectId, importId: id, batchSize: undoBatchSize })
  await retryConflicts(() => sql`
    update library_import set undo_pending = false
    where account_id = ${accountId} and project_id = ${projectId} and id = ${id} and undo_pending
      and not exists (select from project_paper where ${isImported})
      and not exists (select from project_paper where ${isVotedOn})`.execute(db))
  return items
}

/**
 * Takes items away from an import: those that a fetch or another import found too, and those that the user rated or annotated. They become
 * items of the oldest other import that can be undone, or of none. Imports that are no longer kept count, undone ones do not.
 * @param ids items of the account's project, locked
 */
const keepItems = (transaction: Db, { projectId, id }: UndoneImport, ids: readonly string[]) =>
  sql`
    with kept as materialized (
      select project_paper.id, other.import_id
      from project_paper
      left join found_paper found on found.project_id = project_paper.project_id and found.paper_id = project_paper.paper_id
      cross join lateral (
        select count(*) as imports, (array_agg(known.id order by known.created_at, known.id) filter (where known.complete))[1] as import_id
        from jsonb_object_keys(found.imports - ${id}::text) stated (id) left join library_import known on known.id = stated.id::uuid
        where known.undone_at is null
      ) other
      where project_paper.id = ${anyUuid(ids)} and project_paper.project_id = ${projectId}::uuid and (
        other.imports > 0 or found.fetched_sources <> '{}' or ${isAnnotated}
        or (project_paper.vote is not null and project_paper.vote_import_id is distinct from ${id}::uuid))
    )
    update project_paper set import_id = kept.import_id from kept where project_paper.id = kept.id`.execute(transaction)

interface ItemChange {
  condition: RawBuilder<SqlBool>
  /** Has some of the items no longer meet the condition. */
  keep?: (transaction: Db, ids: readonly string[]) => Promise<unknown>
  change: RawBuilder<unknown>
}

/**
 * Changes the items that meet a condition, and do not afterwards, some in each transaction. Each that takes votes away has the feed
 * rescored, so that this is not lost with the process. @returns the number of changed items
 */
async function changeBatches (
  db: Db,
  accountId: string,
  { projectId, id, scoreAt }: UndoneImport,
  { condition, keep, change }: ItemChange
): Promise<number> {
  let dueAt = scoreAt.getTime()
  for (let total = 0; ;) {
    const { found, changed } = await retryConflicts(() => db.transaction().execute(async transaction => {
      await preferIndexOrder(transaction)
      // Locks the project first, as votes do, and as the undo of another import does, which must not begin while items become its own.
      const project = transaction.selectFrom('project').select('id').where('account_id', '=', accountId).where('id', '=', projectId)
      await project.forNoKeyUpdate().execute()
      const { rows } = await sql<{ id: string, rated: boolean }>`
        select id, vote is not null and vote_import_id is not distinct from ${id} as rated
        from project_paper where ${condition} limit ${sql.lit(undoBatchSize)} for update`.execute(transaction)
      const ids = rows.map(({ id }) => id)
      // A rescoring under way leaves one of another time to be done.
      if (rows.some(({ rated }) => rated)) await scheduleScoring(transaction, accountId, projectId, new Date(dueAt++))
      await keep?.(transaction, ids)
      const { rows: [batch] } = await sql<{ changed: number }>`
        with changed as (${change} where id = ${anyUuid(ids)} and ${condition} returning 1)
        select count(*)::integer as changed from changed`.execute(transaction)
      return { found: rows.length, changed: batch!.changed }
    }))
    if (found === 0) return total
    total += changed
  }
}

/** Service-wide upkeep: the undone imports that still have items, because the process ended that removed them. */
export const listPendingUndos = (db: Db) =>
  db.selectFrom('library_import').select(['id', 'account_id', 'project_id']).where('undo_pending', '=', true).execute()

interface RemovedFeeds { projectId: string, sources: readonly ProjectSource[], addresses: readonly string[], now: Date }

/** Removes journal feeds from the sources of a project. @returns their number */
async function removeFeeds (transaction: Db, accountId: string, { projectId, sources, addresses, now }: RemovedFeeds): Promise<number> {
  const kept = sources.filter(({ name, query }) => name !== 'feed' || !addresses.includes(query))
  if (kept.length === sources.length) return 0
  await transaction
    .updateTable('project')
    .set({ sources: JSON.stringify(kept), updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .execute()
  await syncSources(transaction, accountId, projectId, kept, now)
  return sources.length - kept.length
}
