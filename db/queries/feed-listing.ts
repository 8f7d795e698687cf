import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import {
  admitsAll, type AllFeedsFilter, type FeedFilter, type FeedsFilter, filterCondition, marksOf, matching, walkOf
} from './feed-filter.js'
import { countSlices, rowsPerSlice, type Walk, walkSlices } from './feed-slices.js'
import { readByIndex } from './index-order.js'
import { type ProjectIds, isOwnProject, isVisibleToKey } from './ownership.js'
import { inOrder, type SliceOrder, sliceOrderOf } from './sort-keys.js'

/** Items that are listed whole, by the index of a mark, and sorted. Of more, a walk in the order of the list soon meets some. */
const maxFew = 1000

/** A page of a list. */
interface Page { limit: number, offset: number }

/**
 * Ids of one page of the account's project in an order, ties by id. A short first page is read from the index of the order, that of few
 * marked items from the index of the mark, and others slice by slice.
 */
export async function listIds (db: Db, accountId: string, filter: FeedFilter, order: SliceOrder, page: Page): Promise<string[]> {
  const { projectId, ...others } = filter
  const isShort = page.offset + page.limit <= rowsPerSlice
  if (others.items !== undefined || (isShort && isInOrder(others, order))) return await selectPage(db, accountId, filter, order, page)
  let listed: string[] = []
  let isFirst = true
  for await (const { items, last } of walkSlices(db, accountId, walkOf(filter, order), page)) {
    listed = [...listed, ...items]
    if (isFirst && listed.length < page.limit && last !== null) {
      const marked = await listMarked(db, accountId, { ...others, projectIds: [projectId] })
      if (marked !== undefined) return await selectPage(db, accountId, filter, order, page, marked)
    }
    isFirst = false
  }
  return listed
}

/** Number of matching items of the account's project. @param max where counting may stop; the number may be larger */
export async function countItems (db: Db, accountId: string, { projectId, ...filter }: FeedFilter, max: number): Promise<number> {
  const marked = await listMarked(db, accountId, { ...filter, projectIds: [projectId] })
  if (marked !== undefined) return await countMarked(db, accountId, { ...filter, projectIds: [projectId] }, marked)
  return await countSlices(db, accountId, walkToCount({ projectId, ...filter }), max)
}

/** The walk that counts the items of a filter, by the index that has the fewest others. Rated items are few. */
export function walkToCount (filter: FeedFilter): Walk {
  const { rated, feedback = 'all', saved, tagKey, link, papers: { yearFrom, yearTo } = {} } = filter
  if (rated === true || !['all', 'unrated'].includes(feedback)) return walkOf(filter, 'voted')
  const isMarked = saved === true || tagKey !== undefined || link !== undefined
  return walkOf(filter, !isMarked && (yearFrom !== undefined || yearTo !== undefined) ? 'published' : 'newest')
}

/** Whether a filter admits a range of an order: then all that precedes a page in the order is in the list. */
export function isInOrder ({ since, until, asOf, rated, ...others }: AllFeedsFilter, order: SliceOrder): boolean {
  const hasPeriod = [since, until, asOf].some(time => time !== undefined)
  return admitsAll(others) && (order === 'newest' || !hasPeriod) && (order === 'voted' || rated === undefined)
}

/** A page of few items. @param ids those that are read */
async function selectPage (
  db: Db,
  accountId: string,
  filter: FeedFilter,
  order: SliceOrder,
  { limit, offset }: Page,
  ids?: readonly string[]
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${ids === undefined ? sql`` : sql`with ${these(ids)}`}
    select project_paper.id from ${ids === undefined ? sql`project_paper` : theseItems}
    where ${isOwnProject(accountId, filter.projectId)} and ${matching(filter)}
    order by ${inOrder(sliceOrderOf(order))} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The items of these ids as a table, so that no index but that of the ids is read. */
export const these = (ids: readonly string[]) => sql`these as materialized (select * from project_paper where id = ${anyUuid(ids)})`
/** The same table in a FROM clause. */
export const theseItems = sql`these as project_paper`

/**
 * Ids of the account's items, in no order, that meet a condition of a filter which few items meet; all items that the filter admits are
 * among them. Undefined if the filter has no such condition.
 */
export async function listMarked (db: Db, accountId: string, { projectIds, ...filter }: FeedsFilter): Promise<string[] | undefined> {
  for (const mark of marksOf(filter)) {
    const ids = await readByIndex(db, transaction => listFew(transaction, accountId, projectIds, mark))
    if (ids !== undefined) return ids
  }
  return undefined
}

/** Ids of the account's items that meet a condition, in no order; undefined if they are more than a list should sort. */
export async function listFew (
  db: Db,
  accountId: string,
  projectIds: ProjectIds,
  condition: Expression<SqlBool>
): Promise<string[] | undefined> {
  const atMost = sql`limit ${sql.lit(maxFew + 1)}`
  const { rows } = await sql<{ id: string }>`
    select project_paper.id
    from project cross join lateral (
      select id from project_paper where project_paper.project_id = project.id and ${condition} ${atMost}
    ) as project_paper
    where project.account_id = ${accountId}::uuid and ${isVisibleToKey(projectIds)} ${atMost}`.execute(db)
  return rows.length > maxFew ? undefined : rows.map(({ id }) => id)
}

/** Number of those of these items of the account's feeds that a filter admits. */
export async function countMarked (
  db: Db,
  accountId: string,
  { projectIds, ...filter }: FeedsFilter,
  ids: readonly string[]
): Promise<number> {
  const { rows: [counted] } = await sql<{ count: number }>`
    with ${these(ids)}
    select count(*)::integer as count from ${theseItems} join project on project.id = project_paper.project_id
    where project.account_id = ${accountId}::uuid and ${isVisibleToKey(projectIds)} and ${filterCondition(filter)}`.execute(db)
  return counted!.count
}
