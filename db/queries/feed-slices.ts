import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { readInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'
import { inOrder, rangesAfter, type SliceOrder, sliceOrderOf } from './sort-keys.js'

/** Rows of a feed that one statement reads: of the table, the embedded database reads so many in about 10 ms. */
export const rowsPerSlice = 2000
/** The same where an index has all that the statement reads. */
export const entriesPerSlice = 5000
/** Rows of the first slice of a short page. */
const minRows = 200

/** A walk through the items of a feed. */
export interface Walk {
  projectId: string
  order: SliceOrder
  /** The items that are read, which an index must have in this order. */
  part: Expression<SqlBool>
  /** The items of these that are counted. */
  condition: Expression<SqlBool>
  /** Items that one statement reads at most. (Default: `rowsPerSlice`) */
  rows?: number
}

/** A page of the counted items. */
interface Page { limit: number, offset: number }

/**
 * Number of the account's items that meet a condition. Each statement reads a slice of the feed, however large the feed is.
 * @param max where counting may stop; the number may be larger
 */
export async function countSlices (db: Db, accountId: string, walk: Walk, max = Infinity): Promise<number> {
  let total = 0
  for await (const { count } of walkSlices(db, accountId, walk, { limit: 0, offset: 0 })) {
    total += count
    if (total >= max) break
  }
  return total
}

/** Ids of a page of the account's items that meet a condition, in the order. Each statement reads a slice of the feed. */
export async function listSlices (db: Db, accountId: string, walk: Walk, page: Page): Promise<string[]> {
  const ids: string[] = []
  for await (const { items } of walkSlices(db, accountId, walk, page)) ids.push(...items)
  return ids
}

/**
 * Yields slices until the page is full, each with the number of its items that meet the condition, and those of the page.
 * @param item what is selected of an item
 */
export async function * walkSlices<Item = string> (
  db: Db,
  accountId: string,
  { rows: maxRows = rowsPerSlice, ...walk }: Walk,
  { limit, offset }: Page,
  item: RawBuilder<unknown> = sql`project_paper.id`
): AsyncGenerator<Slice<Item>, void> {
  let [count, listed] = [0, 0]
  // If most items meet the condition, the page is near. The same few numbers make the same few statements.
  let rows = limit === 0 ? maxRows : Math.min(minRows, maxRows)
  while (rows < Math.min(2 * (offset + limit), maxRows)) rows = Math.min(2 * rows, maxRows)
  for (let last: Last | undefined; ; rows = Math.min(2 * rows, maxRows)) {
    const from = { last, rows, page: { limit: limit - listed, offset: Math.max(offset - count, 0) } }
    const slice = await readInIndexOrder(db, transaction => readSlice<Item>(transaction, accountId, walk, from, item))
    count += slice.count
    listed += slice.items.length
    yield slice
    if (slice.last === null || (limit > 0 && listed === limit)) return
    last = slice.last
  }
}

/** The last item of a slice: its keys as text, which keeps every digit of a time. */
interface Last { keys: Array<string | null>, id: string }
interface Slice<Item> { count: number, items: Item[], last: Last | null }

/** Each range is read in one pass: the database takes longer to keep rows of an index than to read them. */
async function readSlice<Item> (
  db: Db,
  accountId: string,
  { projectId, order, part, condition }: Walk,
  { last, rows, page }: { last: Last | undefined, rows: number, page: Page },
  item: RawBuilder<unknown>
): Promise<Slice<Item>> {
  const sorted = sliceOrderOf(order)
  const { keys } = sorted
  const columns = keys.map(({ value }, at) => sql`${value} as ${sql.ref(`key_${at}`)}`)
  const texts = keys.map((_, at) => sql`${sql.ref(`key_${at}`)}::text`)
  const ranges = rangesAfter(sorted, last)
  const tables = ranges.map((_, at) => sql.table(`range_${at}`))
  const isSkipped = page.limit === 0 || page.offset >= rows
  const itemsRead = isSkipped ? sql`null` : sql`array_agg(item) filter (where matches)`
  const itemsOf = (range: RawBuilder<SqlBool>) => sql`from project_paper
    where project_id = ${projectId} and ${isOwnProject(accountId, projectId)} and ${part} and ${range} order by ${inOrder(sorted)}`
  // Together, the ranges have as many rows at most.
  const read = ranges.map((range, at) => {
    const left = sql.join([sql.lit(rows), ...tables.slice(0, at).map(table => sql`(select read from ${table})`)], sql` - `)
    return sql`${tables[at]} as materialized (
      select count(*)::integer as read, count(*) filter (where matches)::integer as count, ${itemsRead} as items
      from (select ${item} as item, (${condition}) is true as matches ${itemsOf(range)} limit ${left}) as rows_of_range)`
  })
  const lasts = ranges.map((range, at) => sql`(
    select jsonb_build_object('keys', array[${sql.join(texts)}], 'id', id) from (
      select ${sql.join(columns)}, project_paper.id ${itemsOf(range)}
      limit 1 offset (select greatest(read - 1, 0) from ${tables[at]})
    ) as last_row where (select read from ${tables[at]}) > 0)`)
  const sum = (column: string) => sql.join(tables.map(table => sql`(select ${sql.ref(column)} from ${table})`), sql` + `)
  const items = sql.join(tables.map(table => sql`(select items from ${table})`), sql` || `)
  const placed = [page.offset + 1, page.offset + Math.min(page.limit, rows)].map(place => sql`${place}::integer`)
  const { rows: [slice] } = await sql<Slice<Item>>`
    with ${sql.join(read)}
    select ${sum('count')} as count,
      ${isSkipped ? sql`'{}'::uuid[]` : sql`coalesce((${items})[${placed[0]}:${placed[1]}], '{}')`} as items,
      case when ${sum('read')} = ${sql.lit(rows)} then coalesce(${sql.join(lasts.reverse())}) end as last`.execute(db)
  return slice!
}
