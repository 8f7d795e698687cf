import { type Expression, sql, type SqlBool } from 'kysely'
import type { FeedScope, GroupFilter, ItemFilter, PaperFilter } from '../../schemas/search-filter.js'
import type { PartBytes, PartKey, SegmentRow } from '../../schemas/search-index.js'
import { type Db, writeIfWritable } from '../connection.js'
import { anyUuid } from './any-of.js'
import { matching } from './feed-filter.js'
import { readsLists } from './paper-filter.js'
import { estimatedItemBytes, maxStatementBytes } from './record-bytes.js'
import {
  discardSegment,
  listIndexedProjects,
  listPendingProjects,
  listSegments,
  replaceSegments,
  reserveSegment,
  storeBatch,
  writeParts
} from './search-index.js'
import { readPending } from './search-pending.js'
import { batchesOf } from './sized-batches.js'

/** The index of searches in this database, as src/search/storage.ts declares it. */
export const searchStorage = (db: Db) => ({
  readIndex: (feed: FeedScope) => readIndex(db, feed),
  readParts: (keys: readonly PartKey[]) => readParts(db, keys),
  listNumbers: (feed: FeedScope, group: Group, limit: number) => listNumbers(db, feed, group, limit),
  readTexts: (feed: FeedScope, itemIds: readonly string[]) => readTexts(db, feed, itemIds),
  filterItems: (feed: FeedScope, itemIds: readonly string[], filter: ItemFilter) => filterItems(db, feed, itemIds, filter),
  writeIfWritable,
  listPendingProjects: () => listPendingProjects(db),
  listIndexedProjects: () => listIndexedProjects(db),
  readPending: (projectId: string, limit: Parameters<typeof readPending>[2]) => readPending(db, projectId, limit),
  storeBatch: (projectId: string, batch: Parameters<typeof storeBatch>[2]) => storeBatch(db, projectId, batch),
  listSegments: (projectId: string) => listSegments(db, projectId),
  reserveSegment: (projectId: string) => reserveSegment(db, projectId),
  writeParts: (segmentId: string, parts: readonly PartBytes[]) => writeParts(db, segmentId, parts),
  replaceSegments: (projectId: string, replacement: Parameters<typeof replaceSegments>[2]) => replaceSegments(db, projectId, replacement),
  discardSegment: (segmentId: string) => discardSegment(db, segmentId)
})

/** One statement, so that segments and pending changes are as of one moment. Undefined if the account has no such project. */
async function readIndex (db: Db, { accountId, projectId }: FeedScope) {
  const {
    rows: [index]
  } = await sql<{ segments: SegmentRow[], hasPending: boolean }>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'documents', documents, 'words', words,
        'tombstones', tombstones, 'nameParts', name_parts) order by first_number), '[]')
        from search_segment where project_id = ${projectId} and live) as segments,
      exists (select from search_pending where project_id = ${projectId}) as "hasPending"
    from project where id = ${projectId} and account_id = ${accountId}`.execute(db)
  return index
}

/** Reads parts of segments. The lateral join makes the planner look them up by key, also without statistics. */
async function readParts (db: Db, keys: readonly PartKey[]) {
  const { rows } = await sql<{ segmentId: string, part: number, bytes: Buffer }>`
    select wanted.segment_id as "segmentId", wanted.part, block.bytes
    from unnest(${keys.map(({ segmentId }) => segmentId)}::uuid[], ${keys.map(({ part }) => part)}::integer[]) as wanted (segment_id, part)
    cross join lateral (select bytes from search_block where search_block.segment_id = wanted.segment_id
      and search_block.part = wanted.part limit 1) block`.execute(db)
  return rows
}

const isOwned = ({ accountId, projectId }: FeedScope) =>
  sql<boolean>`exists (select from project where id = ${projectId} and account_id = ${accountId})`

/** A group of feed items. */
type Group = Omit<GroupFilter, 'keep'>

/**
 * The numbers by which the index knows the items of a group; undefined for more than `limit` items: an index counts them in a fraction of
 * the time that the list takes.
 */
async function listNumbers (db: Db, feed: FeedScope, group: Group, limit: number): Promise<Uint32Array | undefined> {
  const items = db.selectFrom('project_paper').select('id').where('project_id', '=', feed.projectId).where(inGroup(feed, group))
    .where(isOwned(feed)).limit(limit + 1)
  const { rows: [list] } = await sql<{ numbers: Buffer | null }>`
    select case when (select count(*) from (${items}) counted) <= ${limit} then coalesce(${numbersOf(feed, items)}, '') end as numbers`
    .execute(db)
  return list?.numbers == null ? undefined : decodeNumbers(list.numbers)
}

/**
 * The numbers of items, as a subquery; null without any. In bytes, because the event loop would parse an array of all numbers of a large
 * feed for tens of milliseconds, and copy it to a thread for as long.
 */
const numbersOf = ({ projectId }: FeedScope, items: Expression<{ id: string }>) => sql<Buffer | null>`(
  select string_agg(int4send(document.number), '') from (${items}) item
  cross join lateral (select number from search_document where project_id = ${projectId} and item_id = item.id limit 1) document)`

/** Decodes big-endian numbers, as PostgreSQL sends them. */
function decodeNumbers (bytes: Buffer): Uint32Array {
  // A copy: what the driver returns shares its buffer with other values.
  const { buffer } = Uint8Array.from(bytes)
  Buffer.from(buffer).swap32()
  return new Uint32Array(buffer)
}

/** The condition of a group, written so that the planner can use the partial indexes. */
function inGroup ({ projectId }: FeedScope, { group, asOf, tagKey, link }: Group): Expression<SqlBool> {
  if (group === 'must_read') return sql<boolean>`relevance_class = 'must_read'`
  if (group === 'seen') return asOf === undefined ? sql<boolean>`seen_at is not null` : sql<boolean>`seen_at <= ${asOf}`
  if (group === 'saved') return matching({ projectId, saved: true })
  if (group === 'linked') return matching({ projectId, link })
  if (group === 'tagged') return matching({ projectId, tagKey })
  if (group !== 'rated') return matching({ projectId, feedback: group })
  return asOf === undefined ? sql<boolean>`vote is not null` : sql<boolean>`voted_at <= ${asOf}`
}

/** Characters of an abstract that are read. */
const maxAbstractLength = 5000

/** The texts of these items. */
async function readTexts (db: Db, feed: FeedScope, itemIds: readonly string[]) {
  return await db
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select([
      'project_paper.id as itemId',
      'project_paper.summary',
      'paper.title',
      sql<string | null>`left(paper.abstract, ${maxAbstractLength})`.as('abstract')
    ])
    .where('project_paper.project_id', '=', feed.projectId)
    .where('project_paper.id', '=', anyUuid(itemIds))
    .where(isOwned(feed))
    .execute()
}

/** The items of these that pass. Large records are read some at a time, and only those of items that pass otherwise. */
async function filterItems (
  db: Db,
  feed: FeedScope,
  itemIds: readonly string[],
  { groups = [], since, until, papers }: ItemFilter
): Promise<string[]> {
  const select = (ids: readonly string[], papers: PaperFilter | undefined) => db
    .selectFrom('project_paper')
    .select('id')
    .where('id', '=', anyUuid(ids))
    .where(matching({ projectId: feed.projectId, since, until, papers }))
    .where(({ and }) => and(groups.map(group => sql<boolean>`(${inGroup(feed, group)}) is ${sql.raw(group.keep ? 'true' : 'not true')}`)))
    .where(isOwned(feed))
  if (papers === undefined || !readsLists(papers)) return idsOf(await select(itemIds, papers).execute())
  const sized = await select(itemIds, undefined).select(estimatedItemBytes.as('bytes')).execute()
  const passed: string[] = []
  for (const ids of batchesOf(idsOf(sized), sized.map(({ bytes }) => bytes), { maxBytes: maxStatementBytes })) {
    passed.push(...idsOf(await select(ids, papers).execute()))
  }
  return passed
}

const idsOf = (rows: ReadonlyArray<{ id: string }>) => rows.map(({ id }) => id)
