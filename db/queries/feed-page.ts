import { sql } from 'kysely'
import type { FeedSort } from '../../schemas/feed-page.js'
import type { SearchedIndex } from '../../schemas/search-index.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { type ItemDetails, walkItems } from './feed.js'
import { type FeedFilter, matching } from './feed-filter.js'
import { countItems, listIds } from './feed-listing.js'
import { isListedAfter } from './index-order.js'
import { noticesFor } from './notices.js'
import { type ProjectIds, isOwnProject } from './ownership.js'
import { itemStateColumns, listedPaperColumns } from './papers.js'
import { isIndexCurrent } from './search-index.js'
import { type DayStarts, inOrder, listOrderOf, sliceOrders } from './sort-keys.js'

/** The columns of an item that a list shows. */
const selectRows = (db: Db, accountId: string) =>
  db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select([
      'project_paper.id',
      'project_paper.short_id',
      'project_paper.project_id',
      'project_paper.relevance_score',
      'project_paper.relevance_class',
      'project_paper.ready_at',
      ...itemStateColumns,
      'paper.source_name'
    ])
    .select(listedPaperColumns)
    .select(noticesFor(accountId).as('notices'))
    .select(sql<boolean>`project_paper.note is not null`.as('has_note'))

/** A feed item as a row of a list. */
export type RowDetails = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number]

/** Items of days that are sorted at most. */
export const maxSortedItems = 2000

/**
 * One page of the account's project in an order, ties by id; empty if the project is another account's.
 * @param page.days to which the filter limits the list, with at most about a thousand items
 */
export async function listRows (
  db: Db,
  accountId: string,
  filter: FeedFilter,
  { sort = 'newest', days, ...page }: { limit: number, offset: number, sort?: FeedSort | undefined, days?: DayStarts }
): Promise<RowDetails[]> {
  if (sort !== 'day' || days === undefined) {
    return await listRowsById(db, accountId, await listIds(db, accountId, filter, sliceOrders[sort], page))
  }
  const ids = await listIds(db, accountId, filter, 'newest', { limit: maxSortedItems, offset: 0 })
  const sorted = await db.selectFrom('project_paper').select('id').where('project_id', '=', filter.projectId)
    .where('id', '=', anyUuid(ids)).orderBy(inOrder(listOrderOf(sort, days)))
    .limit(page.limit).offset(page.offset).execute()
  return await listRowsById(db, accountId, sorted.map(({ id }) => id))
}

/**
 * Rows of these items of the account's feeds, in the order of `ids`, without those that no longer exist.
 * @param index adds to each whether this index of a search is current
 */
export async function listRowsById (
  db: Db,
  accountId: string,
  ids: readonly string[],
  index?: SearchedIndex
): Promise<Array<RowDetails & { is_current?: boolean }>> {
  if (ids.length === 0) return []
  const rows = await selectRows(db, accountId).innerJoin('project', 'project.id', 'project_paper.project_id')
    .where('project.account_id', '=', accountId).where('project_paper.id', '=', anyUuid(ids))
    .$if(index !== undefined, query => query.select(isIndexCurrent(index!).as('is_current')))
    .execute()
  const known = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => known.get(id) ?? [])
}

/** Number of matching items of the account's project, at most `max`: counting all of a large feed would take longer than listing it. */
export const countRows = async (db: Db, accountId: string, filter: FeedFilter, max: number): Promise<number> =>
  Math.min(await countItems(db, accountId, filter, max), max)

/**
 * Every matching item of the account's project, newest first, at most `maxItems` and about a megabyte at a time; no statement stays open
 * between two batches.
 */
export async function * walkFeed (
  db: Db,
  accountId: string,
  filter: FeedFilter,
  maxItems: number,
  visibleProjectIds: ProjectIds = null
): AsyncIterable<ItemDetails[]> {
  for (let last: { ready_at: Date, id: string } | undefined; ;) {
    const page = await db.selectFrom('project_paper').select(['project_paper.id', 'project_paper.ready_at'])
      .where(isOwnProject(accountId, filter.projectId)).where(matching(filter))
      .$if(last !== undefined, query => query.where(isListedAfter(last!)))
      .orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id').limit(maxItems).execute()
    yield * walkItems(db, accountId, page.map(({ id }) => id), { filter, visibleProjectIds })
    if (page.length < maxItems) return
    last = page.at(-1)!
  }
}

/**
 * Those of these items that the filter admits, in the order of `itemIds`, at most `maxItems` and about a megabyte at a time; reads the ids
 * as it needs them.
 */
export async function * walkItemsById (
  db: Db,
  accountId: string,
  filter: FeedFilter | { projectIds: readonly string[] } | undefined,
  itemIds: Pick<readonly string[], 'length' | 'slice'>,
  maxItems: number,
  visibleProjectIds: ProjectIds = null
): AsyncIterable<ItemDetails[]> {
  for (let from = 0; from < itemIds.length; from += maxItems) {
    yield * walkItems(db, accountId, itemIds.slice(from, from + maxItems), { filter, visibleProjectIds })
  }
}
