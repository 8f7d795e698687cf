import { sql } from 'kysely'
import type { FeedSort } from '../../schemas/feed-page.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { type DayPart, isInPart, partRows } from './all-feeds.js'
import { type AllFeedsFilter, type FeedsFilter, filterCondition } from './feed-filter.js'
import { listFew } from './feed-listing.js'
import { readInIndexOrder } from './index-order.js'
import { isVisibleToKey } from './ownership.js'
import {
  type DayStarts, inOrder, inReverse, listOrderOf, rangesAfter, rangesBefore, type SortOrder, type SortPlace, withFirstKey
} from './sort-keys.js'

/** The columns that the sort keys of each order read. More than the index of the order has would be fetched from the table. */
const keyColumns = {
  day: sql`ready_at, relevance_score`,
  best: sql`relevance_score, ready_at`,
  newest: sql`ready_at`,
  published: sql`published_date`
} satisfies Record<FeedSort, unknown>

/** Items that a filter without an index looks at, on each side, and keys that a walk in the order of the list looks at. */
export const [maxScanned, maxWalked] = [500, 5000]
/**
 * Ids of the items before and after an item in a list of the account's feeds, nearest first; undefined if the item is missing or another
 * account's. The item itself need not match the filter.
 * @param isScan whether no index answers the filter: then only the nearest items are looked at
 * @param days those of the item and of its neighbors, to which the filter is limited
 * @param parts of these days, if they have too many items to sort
 */
export const findNeighbors = (
  db: Db,
  accountId: string,
  filter: FeedsFilter,
  { itemId, sort, days, parts, isScan, limit }: {
    itemId: string
    sort: FeedSort
    days?: DayStarts
    parts?: readonly DayPart[] | undefined
    isScan: boolean
    limit: number
  }
): Promise<{ previous: string[], next: string[] } | undefined> =>
  readInIndexOrder(db, async transaction => {
    const order = listOrderOf(sort, days)
    // As text, which keeps every digit of a time.
    const values = sql.join(order.keys.map(({ value }) => sql`(${value})::text`))
    const { rows: [here] } = await sql<SortPlace>`
      select array[${values}] as keys, project_paper.id from project_paper join project on project.id = project_paper.project_id
      where project_paper.id = ${itemId}::uuid and project.account_id = ${accountId}::uuid`.execute(transaction)
    if (here === undefined) return undefined
    const selected = isScan || !hasOwnIndex(filter)
      ? undefined
      : await listFew(transaction, accountId, filter.projectIds, filterCondition(filter))
    const maxRead = isScan ? maxScanned : maxWalked
    const find = async (isNext: boolean): Promise<string[]> => {
      const side = { here, isNext, limit }
      if (selected !== undefined) return await nearestSelected(transaction, selected, { ...side, sort, order })
      if (parts !== undefined) return await nearestInParts(transaction, accountId, filter, { ...side, parts, order, maxRead })
      return await nearestInOrder(transaction, accountId, filter, { ...side, sort, days, order, maxRead })
    }
    return { previous: await find(false), next: await find(true) }
  })

/** A side of an item in an order, and how many neighbors are listed. */
interface Side { order: SortOrder, here: SortPlace, isNext: boolean, limit: number }

/** The ranges of a side, the nearest first, and how its items are sorted. */
const rangesOf = ({ order, here, isNext }: Side) => isNext ? rangesAfter(order, here) : rangesBefore(order, here)
const sortedOn = (order: SortOrder, { isNext }: Pick<Side, 'isNext'>) => isNext ? inOrder(order) : inReverse(order)

/** The nearest of few items, which are sorted. */
async function nearestSelected (db: Db, ids: readonly string[], { sort, ...side }: Side & { sort: FeedSort }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with selected as materialized (select id, ${keyColumns[sort]} from project_paper where id = ${anyUuid(ids)})
    select id from selected as project_paper where ${sql.join(rangesOf(side), sql` or `)}
    order by ${sortedOn(side.order, side)} limit ${sql.lit(side.limit)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The nearest of large days, part by part. @param side.maxRead items that are looked at in each range */
async function nearestInParts (
  db: Db,
  accountId: string,
  filter: FeedsFilter,
  { parts, maxRead, ...side }: Side & { parts: readonly DayPart[], maxRead: number }
): Promise<string[]> {
  const inPart = sortedOn(listOrderOf('day'), side)
  const first = sql.lit(side.limit)
  const branches = rangesOf({ ...side, order: withFirstKey(side.order, sql`part.day`) }).map(range => sql`(
    select id, part.day, relevance_score from (
      select * from project_paper where project_paper.project_id = project.id and ${isInPart} and ${range}
      order by ${inPart} limit ${sql.lit(maxRead)}
    ) as project_paper where ${filterCondition(filter)} order by ${inPart} limit ${first})`)
  const { rows } = await sql<{ id: string }>`
    select project_paper.id
    from project cross join ${partRows(parts)} cross join lateral (${sql.join(branches, sql` union all `)}) as project_paper
    where project.account_id = ${accountId}::uuid and ${isVisibleToKey(filter.projectIds)}
    order by ${sortedOn(withFirstKey(side.order, sql`project_paper.day`), side)} limit ${first}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The nearest in the order of the list. @param side.maxRead keys that are looked at in each range */
async function nearestInOrder (
  db: Db,
  accountId: string,
  filter: FeedsFilter,
  { sort, days, maxRead, ...side }: Side & { sort: FeedSort, days: DayStarts, maxRead: number }
): Promise<string[]> {
  const sorted = sortedOn(side.order, side)
  const first = sql`order by ${sorted} limit ${sql.lit(side.limit)}`
  // Items outside of the days have no place in their order. Otherwise the walk ignores the period, and so stops at its limit.
  const { since, until } = days === undefined ? {} : filter
  const branches = rangesOf(side).map(range => sql`(
    select id, ${keyColumns[sort]} from (
      select * from project_paper where project_paper.project_id = project.id and ${range} and ${filterCondition({ since, until })}
      order by ${sorted} limit ${sql.lit(maxRead)}
    ) as project_paper where ${filterCondition(filter)} ${first})`)
  const { rows } = await sql<{ id: string }>`
    select project_paper.id
    from project cross join lateral (${sql.join(branches, sql` union all `)}) as project_paper
    where project.account_id = ${accountId}::uuid and ${isVisibleToKey(filter.projectIds)}
    ${first}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether a partial index answers the filter. What people marked is usually little of a feed, and nowhere near in its order. */
const hasOwnIndex = ({ must_read, feedback = 'all', rated, seen, saved, tagKey, link }: AllFeedsFilter): boolean =>
  must_read === true || rated === true || seen === true || saved === true || tagKey !== undefined || link !== undefined ||
  !['all', 'unrated'].includes(feedback)
