import { sql } from 'kysely'
import type { PartBytes, SearchedIndex, SegmentTotals } from '../../schemas/search-index.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { deleteBatches } from './delete-batches.js'
import { leaveConflicts } from './retry.js'

/** Projects with changes that are not indexed yet. */
export async function listPendingProjects (db: Db): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`select distinct project_id from search_pending`.execute(db)
  return rows.map(({ project_id }) => project_id)
}

/** Projects whose index holds anything. */
export async function listIndexedProjects (db: Db): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`select distinct project_id from search_segment`.execute(db)
  return rows.map(({ project_id }) => project_id)
}

/** The live segments of a project, in the order of their documents. */
export const listSegments = (db: Db, projectId: string) =>
  db
    .selectFrom('search_segment')
    .select(['id', 'documents', 'words', 'tombstones', 'name_parts as nameParts'])
    .where('project_id', '=', projectId)
    .where('live', '=', true)
    .orderBy('first_number')
    .execute()

/**
 * Whether the index of a project is what a search was made with, and has no changes pending, as an SQL condition that refers to no row: the
 * planner evaluates it once a query.
 */
export const isIndexCurrent = ({ projectId, segmentIds }: SearchedIndex) => sql<boolean>`(
  array(select id from search_segment where project_id = ${projectId}::uuid and live order by first_number) = ${segmentIds}::uuid[]
  and not exists (select from search_pending where project_id = ${projectId}::uuid))`

/** Held to the end of a transaction that changes the live index of a project. */
const lockIndex = (transaction: Db, projectId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`search ${projectId}`}, 0))`.execute(transaction)

/** The live segments of a project, by id. */
export const listLiveIds = async (transaction: Db, projectId: string): Promise<string[]> =>
  (await transaction.selectFrom('search_segment').select('id').where('project_id', '=', projectId).where('live', '=', true).orderBy('id')
    .execute()).map(({ id }) => id)

/** Keeps a project from being deleted until the transaction ends. @returns false if it is: its index changes no more */
export const lockOwned = async (transaction: Db, projectId: string): Promise<boolean> =>
  (await transaction.selectFrom('project').select('id').where('id', '=', projectId).where('account_id', 'is not', null).forKeyShare()
    .executeTakeFirst()) !== undefined

/** What `readPending` gave, and the segment that was built of it. */
interface IndexedBatch {
  pending: {
    changes: ReadonlyArray<{ id: number, itemId: string }>
    documents: ReadonlyArray<{ itemId: string, number: number }>
    segmentIds: readonly string[]
  }
  segment: { totals: SegmentTotals, parts: readonly PartBytes[] } | undefined
  settledIds: readonly number[]
}

/** Stores a batch, unless it is outdated. @returns whether it is stored */
export const storeBatch = (db: Db, projectId: string, { pending, segment, settledIds }: IndexedBatch): Promise<boolean> =>
  db.transaction().execute(async transaction => {
    await lockIndex(transaction, projectId)
    if (await isOutdated(transaction, projectId, pending)) return false
    if (segment !== undefined && !await lockOwned(transaction, projectId)) return false
    await renumber(transaction, projectId, pending)
    if (segment !== undefined) await addSegment(transaction, projectId, segment.totals, segment.parts)
    await deletePending(transaction, projectId, settledIds)
    return true
  })

/**
 * Whether another process has indexed one of the changes since, or changed the live segments. Numbers of these may be higher than those of
 * the batch, and must rise from segment to segment.
 */
async function isOutdated (transaction: Db, projectId: string, { changes, segmentIds }: IndexedBatch['pending']): Promise<boolean> {
  if ((await listLiveIds(transaction, projectId)).join() !== segmentIds.join()) return true
  const { pending } = await transaction.selectFrom('search_pending').select(({ fn }) => fn.countAll<number>().as('pending'))
    .where('project_id', '=', projectId).where('id', '=', sql<number>`any(${changes.map(({ id }) => id)}::bigint[])`)
    .executeTakeFirstOrThrow()
  return pending < changes.length
}

/** Replaces the numbers of changed items by the new ones of those that exist. */
async function renumber (transaction: Db, projectId: string, { changes, documents }: IndexedBatch['pending']): Promise<void> {
  await transaction.deleteFrom('search_document').where('project_id', '=', projectId)
    .where('item_id', '=', anyUuid(changes.map(({ itemId }) => itemId))).execute()
  await sql`
    insert into search_document (project_id, item_id, number)
    select ${projectId}, item_id, number from unnest(
      ${documents.map(({ itemId }) => itemId)}::uuid[], ${documents.map(({ number }) => number)}::integer[]) as numbered (item_id, number)`
    .execute(transaction)
}

async function addSegment (
  transaction: Db,
  projectId: string,
  { documents, words, tombstones, nameParts }: SegmentTotals,
  parts: readonly PartBytes[]
): Promise<void> {
  const { id } = await transaction
    .insertInto('search_segment')
    .values({
      project_id: projectId,
      live: true,
      first_number: sql<number>`nextval('search_number')`,
      documents,
      words,
      tombstones,
      name_parts: nameParts
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeParts(transaction, id, parts)
}

async function deletePending (transaction: Db, projectId: string, changeIds: readonly number[]): Promise<void> {
  await transaction
    .deleteFrom('search_pending')
    .where('project_id', '=', projectId)
    .where('id', '=', sql<number>`any(${changeIds}::bigint[])`)
    .execute()
}

/** A reservation that is older than this was left behind by a process that died. */
const staleAfter = sql`interval '30 minutes'`

/** Adds a segment that is not live. Undefined while another process has one of the project, or without a project. */
export async function reserveSegment (db: Db, projectId: string): Promise<string | undefined> {
  const stale = await db
    .updateTable('search_segment')
    .set({ discarded: true })
    .where('project_id', '=', projectId)
    .where('live', '=', false)
    .where('discarded', '=', false)
    .where('created_at', '<', sql<Date>`now() - ${staleAfter}`)
    .returning('id')
    .execute()
  await deleteDiscarded(db, stale.map(({ id }) => id))
  const {
    rows: [reserved]
  } = await sql<{ id: string }>`
    insert into search_segment (project_id, live, first_number, documents, words)
    select id, false, 0, 0, 0 from project where id = ${projectId} and account_id is not null
    on conflict (project_id) where not live and not discarded do nothing returning id`.execute(db)
  return reserved?.id
}

/** Adds parts to a segment. */
export async function writeParts (db: Db, segmentId: string, parts: readonly PartBytes[]): Promise<void> {
  if (parts.length > 0) {
    await db
      .insertInto('search_block')
      .values(
        parts.map(({ part, bytes }) => ({
          segment_id: segmentId,
          part,
          bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        }))
      )
      .execute()
  }
}

/** Deletes a segment that is not live. */
export async function discardSegment (db: Db, segmentId: string): Promise<void> {
  const discarded = await db.updateTable('search_segment').set({ discarded: true })
    .where('id', '=', segmentId).where('live', '=', false).returning('id').execute()
  await deleteDiscarded(db, discarded.map(({ id }) => id))
}

/** Discarded segments, as far as they are not deleted yet. */
export const listDiscarded = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('search_segment').select('id').where('discarded', '=', true).execute()).map(({ id }) => id)

/** Blocks that one transaction deletes: about 2 MB. */
const blockBatchSize = 100

/**
 * Deletes discarded segments. Their blocks go in batches before: the index of a large project has tens of megabytes. Maintenance finishes
 * what was interrupted.
 */
export async function deleteDiscarded (db: Db, segmentIds: readonly string[]): Promise<void> {
  for (const id of segmentIds) {
    await deleteBatches(
      db, 'search_block', sql`segment_id in (select id from search_segment where id = ${id}::uuid and discarded)`, blockBatchSize)
    await db.deleteFrom('search_segment').where('id', '=', id).where('discarded', '=', true).execute()
  }
}

interface Replacement { replacedIds: readonly string[], segmentId: string, totals: SegmentTotals }

/** Swaps live segments for a reserved one, and deletes them afterwards. @returns false if a segment no longer exists */
export async function replaceSegments (db: Db, projectId: string, replacement: Replacement): Promise<boolean> {
  const isReplaced = await db.transaction().execute(transaction => swapSegments(transaction, projectId, replacement))
  if (isReplaced) await leaveConflicts(deleteDiscarded(db, replacement.replacedIds))
  return isReplaced
}

async function swapSegments (
  transaction: Db,
  projectId: string,
  { replacedIds, segmentId, totals: { documents, words, tombstones, nameParts } }: Replacement
): Promise<boolean> {
  await lockIndex(transaction, projectId)
  const present = await transaction
    .selectFrom('search_segment')
    .select(['id', 'live', 'first_number'])
    .where('id', 'in', [...replacedIds, segmentId])
    .where('discarded', '=', false)
    .forUpdate()
    .execute()
  if (present.length < replacedIds.length + 1) return false
  await transaction.updateTable('search_segment').set({ live: false, discarded: true }).where('id', 'in', replacedIds).execute()
  await transaction
    .updateTable('search_segment')
    .set({
      live: true,
      first_number: Math.min(...present.filter(({ live }) => live).map(({ first_number }) => first_number)),
      documents,
      words,
      tombstones,
      name_parts: nameParts
    })
    .where('id', '=', segmentId)
    .execute()
  return true
}
