import { type SqlBool, sql } from 'kysely'
import type { FeedSort } from '../../schemas/feed-page.js'
import type { Db } from '../connection.js'
import { admitsAll, type FeedsFilter, filterCondition, type NamedFeedsFilter, walkOf } from './feed-filter.js'
import { countMarked, isInOrder, listMarked, these, theseItems, walkToCount } from './feed-listing.js'
import { maxSortedItems } from './feed-page.js'
import { countSlices, rowsPerSlice, walkSlices } from './feed-slices.js'
import { firstId } from './id-range.js'
import { isPaperAfter, preferIndexOrder, readInIndexOrder } from './index-order.js'
import { isOwnProject, isVisibleToKey } from './ownership.js'
import { estimatedItemBytes, maxStatementBytes } from './record-bytes.js'
import { type DayStarts, inOrder, listOrderOf, type SliceOrder, sliceOrders, utcDay } from './sort-keys.js'
import { countItemsByFeed } from './tally.js'
import { withTimeLimit } from './time-limit.js'

/** An item with its project and sort keys, in an order; compared by `compareItems`. */
export interface ListedItem extends ScannedItem { project_id: string }

/** A page of the items of feeds. */
interface FeedsPage {
  limit: number
  offset: number
  /** Items of each feed that are read; as many as the page can need if it is not stated. */
  perFeed?: number | undefined
}

type ListOrder = { sort: FeedSort, days?: DayStarts }

/**
 * One page of the items of the account's feeds, in an order, ties by id. Each feed gives as many of its first items as the page can need,
 * by its own indexes: where a filter leaves out some, large feeds slice by slice.
 * @param filter.projectIds those that a key can see; null: all
 * @param page.days to which the filter limits the list, with at most about a thousand items
 */
export async function listAllItems (db: Db, accountId: string, filter: FeedsFilter, page: FeedsPage & ListOrder): Promise<ListedItem[]> {
  const { limit, offset, perFeed = limit + offset, sort, days } = page
  const { projectIds, ...others } = filter
  const order = days === undefined ? sliceOrders[sort] : 'newest'
  if (others.items !== undefined) return await selectListed(db, accountId, filter, { ...page, perFeed })
  if (days === undefined && isInOrder(others, order)) {
    return await readInIndexOrder(db, transaction => selectListed(transaction, accountId, filter, { ...page, perFeed }))
  }
  const { small, large } = await groupFeeds(db, accountId, filter, order)
  const marked = large.length === 0 ? undefined : await listMarked(db, accountId, filter)
  if (marked !== undefined) return await selectListed(db, accountId, filter, { ...page, perFeed, ids: marked })
  const item = sql`json_build_object('id', project_paper.id, 'project_id', project_paper.project_id, 'keys', ${keysAsJson(page)})`
  const list = async (projectId: string, part: { limit: number, offset: number }) => {
    const items: ListedItem[] = []
    for await (const slice of walkSlices<ListedItem>(db, accountId, walkOf({ ...others, projectId }, order), part, item)) {
      items.push(...slice.items)
    }
    return items
  }
  const [only, ...more] = large
  if (only !== undefined && more.length === 0 && small.length === 0 && days === undefined) return await list(only, { limit, offset })
  const items: ListedItem[] = []
  for (const projectId of large) items.push(...await list(projectId, { limit: days === undefined ? perFeed : maxSortedItems, offset: 0 }))
  for (const group of small) {
    const ofGroup = { ...filter, projectIds: group }
    items.push(...await readInIndexOrder(db, transaction =>
      selectListed(transaction, accountId, ofGroup, { ...page, perFeed, limit: limit + offset, offset: 0 })))
  }
  return items.sort(compareItems).slice(offset, offset + limit)
}

const keysAsJson = ({ sort, days }: ListOrder) => {
  const keys = sort === 'day' ? sql.join(listOrderOf(sort, days).keys.map(({ value }) => value)) : scannedKeys[sort]
  return sql<ListedItem['keys']>`json_build_array(${keys})`
}

/** A page of the items of feeds, in one statement. @param page.ids only these items, instead of the first of each feed */
const selectListed = async (
  db: Db,
  accountId: string,
  filter: FeedsFilter,
  { limit, offset, perFeed, sort, days, ids }: FeedsPage & ListOrder & { perFeed: number, ids?: readonly string[] }
): Promise<ListedItem[]> => {
  const order = inOrder(listOrderOf(sort, days))
  const columns = sql`project_paper.id, ready_at, relevance_score, published_date`
  const items = ids === undefined
    ? sql`project cross join lateral (
        select ${columns} from project_paper where project_paper.project_id = project.id and ${filterCondition(filter)}
        order by ${order} limit ${perFeed}
      ) as project_paper`
    : sql`${theseItems} join project on project.id = project_paper.project_id and ${filterCondition(filter)}`
  const { rows } = await sql<ListedItem>`
    ${ids === undefined ? sql`` : sql`with ${these(ids)}`}
    select project_paper.id, project.id as project_id, ${keysAsJson({ sort, days })} as keys from ${items}
    where project.account_id = ${accountId}::uuid and ${isVisibleToKey(filter.projectIds)}
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Feeds in groups that one statement may read as a whole, and the larger feeds. */
async function groupFeeds (
  db: Db,
  accountId: string,
  { projectIds, ...filter }: FeedsFilter,
  order: SliceOrder
): Promise<{ small: string[][], large: string[] }> {
  const maxItems = walkOf({ ...filter, projectId: firstId }, order).rows ?? rowsPerSlice
  const small: string[][] = []
  const large: string[] = []
  let items = Infinity
  for (const feed of await countItemsByFeed(db, accountId, projectIds)) {
    if (feed.items > maxItems) {
      large.push(feed.id)
      continue
    }
    items += feed.items
    if (items > maxItems) {
      small.push([])
      items = feed.items
    }
    small.at(-1)!.push(feed.id)
  }
  return { small, large }
}

/** A part of a day in a time zone that is within one day of UTC, which an index has; later days have larger numbers. */
export interface DayPart { day: number, utcDay: string, since: Date, until: Date }

/**
 * One page of the items of some days, by day and score, ties by id. Each part of a day gives as many of its first items as the page can
 * need, by an index, so days may be of any size.
 */
export const listItemsOfDays = (
  db: Db,
  accountId: string,
  { projectIds, ...filter }: FeedsFilter,
  { parts, limit, offset, perFeed = limit + offset }: FeedsPage & { parts: readonly DayPart[] }
): Promise<ListedItem[]> =>
  readInIndexOrder(db, async transaction => {
    const order = sql`project_paper.day desc, project_paper.relevance_score desc, project_paper.id`
    const { rows } = await sql<ListedItem>`
      select project_paper.id, project.id as project_id, json_build_array(project_paper.day, project_paper.relevance_score) as keys
      from project cross join lateral (
        select part.day, project_paper.* from ${partRows(parts)} cross join lateral (
          select project_paper.id, project_paper.relevance_score from project_paper
          where project_paper.project_id = project.id and ${isInPart} and ${filterCondition(filter)}
          order by ${utcDay} desc, project_paper.relevance_score desc, project_paper.id limit ${sql.lit(perFeed)}
        ) as project_paper
        order by part.day desc, project_paper.relevance_score desc, project_paper.id limit ${sql.lit(perFeed)}
      ) as project_paper
      where project.account_id = ${accountId}::uuid and ${isVisibleToKey(projectIds)}
      order by ${order} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(transaction)
    return rows
  })

/** Parts of days as rows, for `isInPart`. */
export const partRows = (parts: readonly DayPart[]) => sql`jsonb_to_recordset(${JSON.stringify(parts)}::jsonb)
  as part (day integer, "utcDay" date, since timestamptz, until timestamptz)`

/** Whether an item is in a part of a day, which an index answers. */
export const isInPart =
  sql<SqlBool>`${utcDay} = part."utcDay" and project_paper.ready_at >= part.since and project_paper.ready_at < part.until`

/**
 * The times at which the matching items of the account's feeds entered, latest first, or earliest first.
 * @param maxRead items of each feed that are looked at
 */
export async function listReadyTimes (
  db: Db,
  accountId: string,
  filter: FeedsFilter,
  { limit, earliestFirst = false, maxRead }: { limit: number, earliestFirst?: boolean, maxRead: number }
): Promise<Date[]> {
  const { since, until } = filter
  const order = earliestFirst ? sql`project_paper.ready_at, project_paper.id desc` : sql`project_paper.ready_at desc, project_paper.id`
  const ofProject = sql`project_paper.project_id = project.id and ${filterCondition({ since, until })}`
  const { rows } = await sql<{ ready_at: Date }>`
    select project_paper.ready_at
    from project cross join lateral (
      select id, ready_at from (
        select * from project_paper where ${ofProject} order by ${order} limit ${sql.lit(maxRead)}
      ) as project_paper
      where ${filterCondition(filter)} order by ${order} limit ${sql.lit(limit)}
    ) as project_paper
    where project.account_id = ${accountId}::uuid and ${isVisibleToKey(filter.projectIds)}
    order by ${order} limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ ready_at }) => ready_at)
}

/** Number of matching items of the account's feeds, at most `max`. Of large feeds, they are counted slice by slice. */
export async function countAllItems (db: Db, accountId: string, filter: FeedsFilter, max: number): Promise<number> {
  const { projectIds, ...others } = filter
  if (others.items !== undefined) return await countTogether(db, accountId, filter, max)
  if (admitsAll(others)) {
    return Math.min((await countItemsByFeed(db, accountId, projectIds)).reduce((sum, { items }) => sum + items, 0), max)
  }
  const { small, large } = await groupFeeds(db, accountId, filter, 'newest')
  const marked = large.length === 0 ? undefined : await listMarked(db, accountId, filter)
  if (marked !== undefined) return Math.min(await countMarked(db, accountId, filter, marked), max)
  let total = 0
  for (const projectId of large) {
    if (total < max) total += await countSlices(db, accountId, walkToCount({ ...others, projectId }), max - total)
  }
  for (const group of small) {
    if (total < max) total += await countTogether(db, accountId, { ...filter, projectIds: group }, max - total)
  }
  return Math.min(total, max)
}

/** The same in one statement. */
async function countTogether (db: Db, accountId: string, filter: FeedsFilter, max: number): Promise<number> {
  const counted = db
    .selectFrom('project')
    .innerJoin('project_paper', 'project_paper.project_id', 'project.id')
    .select('project_paper.id')
    .where('project.account_id', '=', accountId)
    .where(isVisibleToKey(filter.projectIds))
    .where(filterCondition(filter))
    .limit(max)
  return (await db.selectFrom(counted.as('counted')).select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
}

/** Items that one statement of a scan looks at; fewer if their records are large. */
const scanBatchSize = 500

/** A matching item with its sort keys, in the order of a list. */
export interface ScannedItem { id: string, keys: Array<string | number | null> }

/** The sort keys of each order as JSON, before the id; all of them descend, null last. The caller knows the day of a time. */
const scannedKeys = {
  day: sql`extract(epoch from project_paper.ready_at), project_paper.relevance_score`,
  best: sql`project_paper.relevance_score, extract(epoch from project_paper.ready_at)`,
  newest: sql`extract(epoch from project_paper.ready_at)`,
  published: sql`project_paper.published_date`
} satisfies Record<FeedSort, unknown>

/**
 * Yields the matching items of the account's feeds in no order, for filters that no index answers. Each statement looks at a bounded number
 * of items, so other queries can run between them.
 * @param limitMs time of a statement
 * @returns also how long the statement took, without waiting for a connection @throws StatementTimeout
 */
export async function * scanAllItems (
  db: Db,
  accountId: string,
  { projectIds, ...filter }: NamedFeedsFilter,
  { sort, limitMs }: { sort: FeedSort, limitMs: number }
): AsyncIterable<{ items: ScannedItem[], tookMs: number }> {
  for (const projectId of projectIds) {
    for (let last = firstId; ;) {
      const after = last
      const { page, tookMs } = await withTimeLimit(db, limitMs, async transaction => {
        const began = performance.now()
        await preferIndexOrder(transaction)
        const { rows } = await sql<{ isLast: boolean, last: string, items: ScannedItem[] }>`
          with batch as materialized (
            select project_paper.*, ${estimatedItemBytes} as bytes from project_paper
            where ${isPaperAfter('project_paper', sql`${projectId}::uuid`, after)} and ${isOwnProject(accountId, projectId)}
            order by project_id, paper_id limit ${sql.lit(scanBatchSize)}
          ), sized as (
            select batch.*, row_number() over by_paper as place, sum(bytes) over by_paper as total_bytes
            from batch window by_paper as (order by paper_id)
          ), scanned as materialized (
            select * from sized where place = 1 or total_bytes <= ${sql.lit(maxStatementBytes)}
          )
          select (select count(*) from batch) < ${sql.lit(scanBatchSize)}
              and (select count(*) from scanned) = (select count(*) from batch) as "isLast",
            (select paper_id from scanned order by paper_id desc limit 1) as last, (
            select coalesce(json_agg(json_build_object('id', project_paper.id, 'keys', json_build_array(${scannedKeys[sort]}))), '[]')
            from scanned as project_paper where ${filterCondition(filter)}
          ) as items`.execute(transaction)
        return { page: rows[0]!, tookMs: performance.now() - began }
      })
      yield { items: page.items, tookMs }
      if (page.isLast) break
      last = page.last
    }
  }
}

/** Compares items as the order of their keys does. */
export function compareItems (a: ScannedItem, b: ScannedItem): number {
  for (const [at, key] of a.keys.entries()) {
    const other = b.keys[at]!
    if (key === other) continue
    if (key === null || other === null) return key === null ? 1 : -1
    return key > other ? -1 : 1
  }
  return a.id < b.id ? -1 : 1
}
