import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { readInIndexOrder } from './index-order.js'
import { isOwnProject } from './ownership.js'

/** Papers in a feed or outside it, by the time when they were found, and those of them that are counted. */
interface Found { table: string, time: string, id: string, isCounted: RawBuilder<SqlBool> }

const foundPapers: readonly Found[] = [
  { table: 'project_paper', time: 'ready_at', id: 'id', isCounted: sql<SqlBool>`origin = 'fetch'` },
  { table: 'candidate', time: 'found_at', id: 'paper_id', isCounted: sql<SqlBool>`relevance_score > 0` }
]

/** Papers that one statement reads. */
const rowsPerStatement = 10_000

/**
 * Numbers of fetched papers found since a time, in and outside the account's feed, by the hundredth of their score; 100 counts as 99. Each
 * statement reads a bounded number of papers, so other queries can run in between.
 */
export async function countFoundScores (
  db: Db,
  accountId: string,
  projectId: string,
  since: Date
): Promise<Array<{ hundredth: number, papers: number }>> {
  const total = new Map<number, number>()
  for (const found of foundPapers) {
    for (let last: Last | null = null; ;) {
      const after: Last | null = last
      const { counts, end }: Slice = await readInIndexOrder(db, transaction =>
        countSlice(transaction, accountId, projectId, found, { since, after }))
      for (const { hundredth, papers } of counts) total.set(hundredth, (total.get(hundredth) ?? 0) + papers)
      if (end === null) break
      last = end
    }
  }
  return [...total].map(([hundredth, papers]) => ({ hundredth, papers }))
}

interface Last { time: string, id: string }
interface Slice { counts: Array<{ hundredth: number, papers: number }>, end: Last | null }

/** Counts the next papers, newest first. @returns also the last of them, if there may be more */
async function countSlice (
  db: Db,
  accountId: string,
  projectId: string,
  { table, time, id, isCounted }: Found,
  { since, after }: { since: Date, after: Last | null }
): Promise<Slice> {
  const [timeColumn, idColumn] = [sql.ref(time), sql.ref(id)]
  const isAfter = after === null
    ? sql`true`
    : sql`${timeColumn} <= ${after.time}::timestamptz and (${timeColumn} < ${after.time}::timestamptz or ${idColumn} > ${after.id}::uuid)`
  const { rows: [slice] } = await sql<Slice>`
    with slice as materialized (
      select ${timeColumn} as time, ${idColumn} as id, relevance_score, ${isCounted} as is_counted
      from ${sql.table(table)}
      where project_id = ${projectId} and ${isOwnProject(accountId, projectId)} and ${timeColumn} >= ${since} and ${isAfter}
      order by ${timeColumn} desc, ${idColumn} limit ${sql.lit(rowsPerStatement)}
    ), counted as (
      select least(floor(relevance_score * 100 + 0.000001), 99)::int as hundredth, count(*)::int as papers
      from slice where is_counted group by hundredth
    )
    select
      (select coalesce(json_agg(counted), '[]') from counted) as counts,
      (select json_build_object('time', time, 'id', id) from slice order by time desc, id limit 1 offset ${sql.lit(rowsPerStatement - 1)})
        as end`.execute(db)
  return slice!
}
