import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FeedSort } from '../../schemas/feed-page.js'

/** A descending sort key with its type. Its values are never null, unless it is nullable: then they are last. */
export interface SortKey { value: RawBuilder<unknown>, type: RawBuilder<unknown>, isNullable?: boolean }

/** An order of rows that an index has: by keys, which descend, ties by id, which ascends. */
export interface SortOrder { keys: readonly SortKey[], id: RawBuilder<unknown> }

/** A row in an order. Keys as text keep every digit of a time. */
export interface SortPlace { keys: ReadonlyArray<string | Date | null>, id: string }

const readyAt = { value: sql`project_paper.ready_at`, type: sql`timestamptz` }
const score = { value: sql`project_paper.relevance_score`, type: sql`float8` }
const itemId = sql`project_paper.id`

/** The day of an item in UTC, which an index has. */
export const utcDay = sql`(project_paper.ready_at at time zone 'UTC')::date`

/** The starts of the days that a list has, in a time zone; undefined: the days of UTC. */
export type DayStarts = readonly Date[] | undefined

/** The day of an item as its place among the starts. */
const dayAmong = (starts: readonly Date[]) =>
  sql`width_bucket(project_paper.ready_at, ${starts.map(start => start.toISOString())}::timestamptz[])`

/** An order of a feed. `day`: of UTC. `voted`: last vote first; only rated items have a place in it. */
export type SliceOrder = 'newest' | 'relevance' | 'day' | 'published' | 'voted'

const keysOfOrders: Record<SliceOrder, readonly SortKey[]> = {
  newest: [readyAt],
  relevance: [score, readyAt],
  day: [{ value: utcDay, type: sql`date` }, score],
  published: [{ value: sql`project_paper.published_date`, type: sql`date`, isNullable: true }],
  voted: [{ value: sql`project_paper.voted_at`, type: sql`timestamptz` }]
}

/** The order of a feed that an index has. */
export const sliceOrderOf = (order: SliceOrder): SortOrder => ({ keys: keysOfOrders[order], id: itemId })

/** The orders of lists as those of feeds that an index has. */
export const sliceOrders = {
  day: 'day',
  best: 'relevance',
  newest: 'newest',
  published: 'published'
} satisfies Record<FeedSort, SliceOrder>

/** The order of a list. An index has it, except by days of other time zones than UTC. */
export const listOrderOf = (sort: FeedSort, days?: DayStarts): SortOrder => days === undefined || sort !== 'day'
  ? sliceOrderOf(sliceOrders[sort])
  : { keys: [{ value: dayAmong(days), type: sql`integer` }, score], id: itemId }

/** The same order with another expression for its first key. */
export const withFirstKey = ({ keys: [first, ...others], id }: SortOrder, value: RawBuilder<unknown>): SortOrder =>
  ({ keys: [{ ...first!, value }, ...others], id })

/** Sorts rows, as SQL. */
export const inOrder = ({ keys, id }: SortOrder): RawBuilder<unknown> =>
  sql.join([...keys.map(({ value, isNullable }) => isNullable === true ? sql`${value} desc nulls last` : sql`${value} desc`), id])

/** The opposite, which reads the same index backwards. */
export const inReverse = ({ keys, id }: SortOrder): RawBuilder<unknown> =>
  sql.join([...keys.map(({ value, isNullable }) => isNullable === true ? sql`${value} nulls first` : value), sql`${id} desc`])

/**
 * The rows after another one, as ranges of an index in their order: equal in all keys but the id, then in fewer. As one condition, the
 * database would read all rows with the same first key again, and a check or an import gives thousands the same time.
 */
export const rangesAfter = (order: SortOrder, place: SortPlace | undefined) => rangesBeyond(order, place, true)

/** The opposite: the rows before another one, the nearest first. */
export const rangesBefore = (order: SortOrder, place: SortPlace | undefined) => rangesBeyond(order, place, false)

function rangesBeyond ({ keys, id }: SortOrder, place: SortPlace | undefined, isAfter: boolean): Array<RawBuilder<SqlBool>> {
  if (place === undefined) return [sql<SqlBool>`true`]
  /** The farthest first. */
  const ranges: Array<RawBuilder<SqlBool>> = []
  const equal: Array<RawBuilder<unknown>> = []
  const add = (condition: RawBuilder<unknown>) => ranges.push(sql<SqlBool>`${sql.join([...equal, condition], sql` and `)}`)
  for (const [at, { value, type, isNullable }] of keys.entries()) {
    const key = place.keys[at] ?? null
    if (key === null) {
      if (!isAfter) add(sql`${value} is not null`)
      equal.push(sql`${value} is null`)
    } else {
      if (isAfter && isNullable === true) add(sql`${value} is null`)
      add(sql`${value} ${isAfter ? sql`<` : sql`>`} ${key}::${type}`)
      equal.push(sql`${value} = ${key}::${type}`)
    }
  }
  add(sql`${id} ${isAfter ? sql`>` : sql`<`} ${place.id}::uuid`)
  return ranges.reverse()
}
