import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Makes the planner of a transaction read ranges in index order. Without statistics, as in a new database, it assumes that every range is
 * short, and reads and sorts all of it. JIT is off because the remaining plans look expensive enough to be compiled.
 */
export const preferIndexOrder = (transaction: Db) =>
  sql`select set_config(name, 'off', true) from unnest(array['enable_sort', 'enable_bitmapscan', 'enable_seqscan',
    'enable_hashjoin', 'enable_mergejoin', 'jit']) as name`.execute(transaction)

/** Runs a query that reads the start of a range in the order of an index. */
export const readInIndexOrder = <T>(db: Db, read: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async transaction => {
    await preferIndexOrder(transaction)
    return await read(transaction)
  })

/** Runs a query that finds rows by the index of a condition, which a bitmap may read, whatever the statistics say. */
export const readByIndex = <T>(db: Db, read: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async transaction => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'on', true), set_config('jit', 'off', true)`
      .execute(transaction)
    return await read(transaction)
  })

/** Reads a list in the order of an index, batch by batch. @param read receives the last row of the previous batch */
export async function * walkInIndexOrder<Last, Row extends Last> (
  db: Db,
  read: (transaction: Db, last: Last | undefined) => Promise<Row[]>
): AsyncGenerator<Row[], void> {
  for (let last: Row | undefined; ;) {
    const rows = await readInIndexOrder(db, transaction => read(transaction, last))
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)!
  }
}

/**
 * Whether a row of a table with `project_id` and `paper_id` is of a project and follows a paper. Only the index on both has these rows in
 * the order of `project_id, paper_id`. With `project_id = …`, an index on the paper alone has that order, too, and the planner can prefer
 * it, which reads the rows of all projects.
 */
export const isPaperAfter = (table: string, projectId: RawBuilder<unknown>, paperId: string) => {
  const [project, paper] = [sql.ref(`${table}.project_id`), sql.ref(`${table}.paper_id`)]
  return sql<SqlBool>`((${project}, ${paper}) > (${projectId}, ${paperId}::uuid) and ${project} <= ${projectId})`
}

/** The same through another paper. */
export const isPaperBetween = (table: string, projectId: string, { after, through }: { after: string, through: RawBuilder<unknown> }) => {
  const [project, paper] = [sql.ref(`${table}.project_id`), sql.ref(`${table}.paper_id`)]
  return sql<SqlBool>`((${project}, ${paper}) > (${projectId}::uuid, ${after}::uuid)
    and (${project}, ${paper}) <= (${projectId}::uuid, ${through}))`
}

/** Whether a feed item follows another in a list of the newest first, ties by id. The first condition is the range that the index reads. */
export const isListedAfter = ({ ready_at, id }: { ready_at: Date, id: string }) => sql<SqlBool>`(project_paper.ready_at <= ${ready_at}
  and (project_paper.ready_at < ${ready_at} or project_paper.id > ${id}))`

/** The opposite: whether a feed item is another one or precedes it. */
export const isListedThrough = ({ ready_at, id }: { ready_at: Date, id: string }) => sql<SqlBool>`(project_paper.ready_at >= ${ready_at}
  and (project_paper.ready_at > ${ready_at} or project_paper.id <= ${id}))`
