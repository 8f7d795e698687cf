import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { readInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'

/** A descending sort key with its type; its values are never null. */
interface Key { value: RawBuilder<unknown>, type: RawBuilder<unknown> }

const readyAt = { value: sql`project_paper.ready_at`, type: sql`timestamptz` }

/** Orders of a feed that an index has; all end with the id, which ascends. */
const keysOfOrders = {
  newest: [readyAt],
  relevance: [{ value: sql`project_paper.relevance_score`, type: sql`float8` }, readyAt],
  voted: [{ value: sql`project_paper.voted_at`, type: sql`timestamptz` }]
} satisfies Record<string, readonly Key[]>

/** An order of a feed. `voted`: last vote first; only rated items have a place in it. */
export type SliceOrder = keyof typeof keysOfOrders

/** The sort keys of an order. */
export const orderOf = (order: SliceOrder): RawBuilder<unknown> =>
  sql.join([...keysOfOrders[order].map(({ value }) => sql`${value} desc`), sql`project_paper.id`])

/** Rows of a feed that one statement reads. */
export const rowsPerSlice = 10_000

/** A walk through the items of a feed. */
export interface Walk {
  projectId: string
  order: SliceOrder
  /** The items that are read, which an index must have in this order. */
  part: Expression<SqlBool>
  /** The items of these that are counted. */
  condition: Expression<SqlBool>
  /** Items that one statement reads, unless many of them are read fast. */
  rows?: number
}

/** A page of the counted items. */
interface Page { limit: number, offset: number }

/** Number of the account's items that meet a condition. Each statement reads a slice of the feed, however large the feed is. */
export const countSlices = async (db: Db, accountId: string, walk: Walk): Promise<number> =>
  (await walkSlices(db, accountId, walk, { limit: 0, offset: 0 })).count

/** Ids of a page of the account's items that meet a condition, in the order. Each statement reads a slice of the feed. */
export const listSlices = async (db: Db, accountId: string, walk: Walk, page: Page): Promise<string[]> =>
  (await walkSlices(db, accountId, walk, page)).ids

/** Ends early once the page is full. */
async function walkSlices (db: Db, accountId: string, walk: Walk, { limit, offset }: Page): Promise<{ count: number, ids: string[] }> {
  let count = 0
  const ids: string[] = []
  for (let last: Last | undefined; ;) {
    const page = { limit: limit - ids.length, offset: Math.max(offset - count, 0) }
    const slice = await readInIndexOrder(db, transaction => readSlice(transaction, accountId, walk, { last, page }))
    count += slice.count
    ids.push(...slice.ids)
    if (slice.last === null || (limit > 0 && ids.length === limit)) return { count, ids }
    last = slice.last
  }
}

/** The last item of a slice: its keys as text, which keeps every digit of a time. */
interface Last { keys: string[], id: string }
interface Slice { count: number, ids: string[], last: Last | null }

async function readSlice (
  db: Db,
  accountId: string,
  { projectId, order, part, condition, rows = rowsPerSlice }: Walk,
  { last, page }: { last: Last | undefined, page: Page }
): Promise<Slice> {
  const keys = keysOfOrders[order]
  const inOrder = orderOf(order)
  const values = sql.join(keys.map(({ value }) => sql`(${value})::text`))
  // Each range has as many rows at most, and so do all of them together.
  const branches = rangesAfter(keys, last).map(range => sql`(
    select array[${values}] as keys, row_number() over (order by ${inOrder}) as place, id, (${condition}) is true as matches
    from project_paper where project_id = ${projectId} and ${isOwnProject(accountId, projectId)} and ${part} and ${range}
    order by ${inOrder} limit ${sql.lit(rows)})`)
  const numbered = branches.map((branch, at) => sql`select ${sql.lit(at)} as range, branch.* from ${branch} as branch`)
  const { rows: [slice] } = await sql<Slice>`
    with slice as materialized (
      select * from (${sql.join(numbered, sql` union all `)}) as ranges order by range, place limit ${sql.lit(rows)}
    )
    select
      (select count(*)::integer from slice where matches) as count,
      array(select id from slice where matches order by range, place limit ${page.limit} offset ${page.offset}) as ids,
      (select jsonb_build_object('keys', keys, 'id', id) from slice order by range, place limit 1 offset ${sql.lit(rows - 1)})
        as last`.execute(db)
  return slice!
}

/**
 * The items after another one, as ranges of an index in their order: equal in all keys but the id, then in fewer. As one condition, the
 * database would read all items with the same first key again.
 */
function rangesAfter (keys: readonly Key[], last: Last | undefined): Array<RawBuilder<SqlBool>> {
  if (last === undefined) return [sql<SqlBool>`true`]
  const here = keys.map(({ type }, at) => sql`${last.keys[at]}::${type}`)
  const equal = (count: number) => keys.slice(0, count).map(({ value }, at) => sql`${value} = ${here[at]}`)
  const beyond = keys.map(({ value }, at) => sql<SqlBool>`${sql.join([...equal(at), sql`${value} < ${here[at]}`], sql` and `)}`)
  return [sql<SqlBool>`${sql.join([...equal(keys.length), sql`project_paper.id > ${last.id}::uuid`], sql` and `)}`, ...beyond.reverse()]
}
