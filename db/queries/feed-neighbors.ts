import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FeedSort } from '../../schemas/feed-page.js'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { type AllFeedsFilter, type DayPart, isInPart, partRows } from './all-feeds.js'
import { filterCondition } from './feed-filter.js'
import { type DayStarts, dayKey, sortKeys } from './feed-page.js'
import { readInIndexOrder } from './index-order.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'

/** The sort keys of each order as `sortKeys` has them, with their types; all descend. */
const keysOf = (sort: FeedSort, days: DayStarts): readonly Key[] => sort === 'day'
  ? [
      { value: dayKey(days), type: days === undefined ? sql`date` : sql`integer` },
      { value: sql`project_paper.relevance_score`, type: sql`float8` }
    ]
  : keys[sort]

const keys = {
  best: [
    { value: sql`project_paper.relevance_score`, type: sql`float8` },
    { value: sql`project_paper.ready_at`, type: sql`timestamptz` }
  ],
  newest: [{ value: sql`project_paper.ready_at`, type: sql`timestamptz` }],
  published: [{ value: sql`project_paper.published_date`, type: sql`date` }]
} satisfies Record<Exclude<FeedSort, 'day'>, Key[]>

/** The columns that the sort keys of each order read. More than the index of the order has would be fetched from the table. */
const keyColumns = {
  day: sql`ready_at, relevance_score`,
  best: sql`relevance_score, ready_at`,
  newest: sql`ready_at`,
  published: sql`published_date`
} satisfies Record<FeedSort, unknown>

/** Items that a filter without an index looks at, on each side, and keys that a walk in the order of the list looks at. */
export const [maxScanned, maxWalked] = [500, 5000]
/** Items that are listed by the index of a filter and sorted. Of more, a walk in the order of the list soon meets some. */
const maxSelected = 1000

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
  filter: AllFeedsFilter & { projectIds: ProjectIds },
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
    // As text, which keeps every digit of a time.
    const sorted = keysOf(sort, days)
    const values = sql.join(sorted.map(({ value }) => sql`(${value})::text`))
    const { rows: [here] } = await sql<{ keys: Array<string | null> }>`
      select array[${values}] as keys from project_paper join project on project.id = project_paper.project_id
      where project_paper.id = ${itemId}::uuid and project.account_id = ${accountId}::uuid`.execute(transaction)
    if (here === undefined) return undefined
    const selected = isScan || !hasOwnIndex(filter) ? undefined : await listSelected(transaction, accountId, filter)
    const find = async (direction: 'previous' | 'next') => {
      const order = direction === 'next' ? sql.join([...sortKeys(sort, days), sql`project_paper.id`]) : reversed(sort, days)
      const first = sql`order by ${order} limit ${sql.lit(limit)}`
      const ranges = rangesBeyond(direction, sorted, here.keys, itemId)
      const items = sql`select id, ${keyColumns[sort]}`
      if (selected !== undefined) {
        const { rows } = await sql<{ id: string }>`
          with selected as materialized (${items} from project_paper where id = ${anyUuid(selected)})
          select id from selected as project_paper where ${sql.join(ranges, sql` or `)} ${first}`.execute(transaction)
        return rows.map(({ id }) => id)
      }
      if (parts !== undefined) {
        const [day, ...others] = sorted
        const inParts = rangesBeyond(direction, [{ ...day!, value: sql`part.day` }, ...others], here.keys, itemId)
        const byDay = (day: RawBuilder<unknown>) => direction === 'next'
          ? sql`${day} desc, project_paper.relevance_score desc, project_paper.id`
          : sql`${day}, project_paper.relevance_score, project_paper.id desc`
        const branches = inParts.map(range => {
          const nearest = sql`select * from project_paper where project_paper.project_id = project.id and ${isInPart} and ${range}
            order by ${byDay(dayKey(undefined))} limit ${sql.lit(isScan ? maxScanned : maxWalked)}`
          return sql`(select id, part.day, relevance_score from (${nearest}) as project_paper where ${filterCondition(filter)}
            order by ${byDay(dayKey(undefined))} limit ${sql.lit(limit)})`
        })
        const { rows } = await sql<{ id: string }>`
          select project_paper.id
          from project cross join ${partRows(parts)} cross join lateral (${sql.join(branches, sql` union all `)}) as project_paper
          where project.account_id = ${accountId}::uuid and ${isVisibleToKey(filter.projectIds)}
          order by ${byDay(sql`project_paper.day`)} limit ${sql.lit(limit)}`.execute(transaction)
        return rows.map(({ id }) => id)
      }
      const branches = ranges.map(range => {
        // Items outside of the days have no place in their order. Otherwise the walk ignores the period, and so stops at its limit.
        const { since, until } = days === undefined ? {} : filter
        const inRange = sql`project_paper.project_id = project.id and ${range} and ${filterCondition({ since, until })}`
        const matching = filterCondition(filter)
        const limit = sql.lit(isScan ? maxScanned : maxWalked)
        const nearest = sql`select * from project_paper where ${inRange} order by ${order} limit ${limit}`
        return sql`(${items} from (${nearest}) as project_paper where ${matching} ${first})`
      })
      const { rows } = await sql<{ id: string }>`
        select project_paper.id
        from project cross join lateral (${sql.join(branches, sql` union all `)}) as project_paper
        where project.account_id = ${accountId}::uuid and ${isVisibleToKey(filter.projectIds)}
        ${first}`.execute(transaction)
      return rows.map(({ id }) => id)
    }
    return { previous: await find('previous'), next: await find('next') }
  })

/** Whether a partial index answers the filter. What people marked is usually little of a feed, and nowhere near in its order. */
const hasOwnIndex = ({ must_read, feedback = 'all', rated, seen, saved, tagKey, link }: AllFeedsFilter): boolean =>
  must_read === true || rated === true || seen === true || saved === true || tagKey !== undefined || link !== undefined ||
  !['all', 'unrated'].includes(feedback)

/** Ids of all matching items in no order; undefined if they are more than `maxSelected`. */
async function listSelected (
  db: Db,
  accountId: string,
  filter: AllFeedsFilter & { projectIds: ProjectIds }
): Promise<string[] | undefined> {
  const atMost = sql`limit ${sql.lit(maxSelected + 1)}`
  const { rows } = await sql<{ id: string }>`
    select project_paper.id
    from project cross join lateral (
      select id from project_paper where project_paper.project_id = project.id and ${filterCondition(filter)} ${atMost}
    ) as project_paper
    where project.account_id = ${accountId}::uuid and ${isVisibleToKey(filter.projectIds)} ${atMost}`.execute(db)
  return rows.length > maxSelected ? undefined : rows.map(({ id }) => id)
}

/** The opposite of each order, which reads the same indexes backwards. */
const reversed = (sort: FeedSort, days: DayStarts) => sort === 'day'
  ? sql`${dayKey(days)}, project_paper.relevance_score, project_paper.id desc`
  : reversedOrders[sort]

const reversedOrders = {
  best: sql`project_paper.relevance_score, project_paper.ready_at, project_paper.id desc`,
  newest: sql`project_paper.ready_at, project_paper.id desc`,
  published: sql`project_paper.published_date nulls first, project_paper.id desc`
} satisfies Record<Exclude<FeedSort, 'day'>, unknown>

type Key = { value: RawBuilder<unknown>, type: RawBuilder<unknown> }

/**
 * The part of an order beyond an item, as ranges of an index: equal in the first keys and beyond in the next one. As one condition, the
 * database would read the index from its start.
 */
function rangesBeyond (
  direction: 'previous' | 'next',
  keys: readonly Key[],
  values: ReadonlyArray<string | null>,
  itemId: string
): Array<RawBuilder<SqlBool>> {
  const isNext = direction === 'next'
  const sign = isNext ? sql`<` : sql`>`
  const ranges: Array<RawBuilder<SqlBool>> = []
  const equal: Array<RawBuilder<unknown>> = []
  const add = (condition: RawBuilder<unknown>) => ranges.push(sql<SqlBool>`${sql.join([...equal, condition], sql` and `)}`)
  for (const [at, { value, type }] of keys.entries()) {
    const here = values[at] ?? null
    // Null comes last.
    if (here === null) {
      if (!isNext) add(sql`${value} is not null`)
      equal.push(sql`${value} is null`)
    } else {
      add(sql`${value} ${sign} ${here}::${type}`)
      if (isNext) add(sql`${value} is null`)
      equal.push(sql`${value} = ${here}::${type}`)
    }
  }
  add(sql`project_paper.id ${isNext ? sql`>` : sql`<`} ${itemId}::uuid`)
  return ranges
}
