import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Makes the planner of a transaction read ranges in index order. Without statistics, as in a new database, the planner takes any range for
 * short, and would read and sort all of it. Other plans that remain necessary then look so expensive that a server would compile them.
 */
export const preferIndexOrder = (transaction: Db) =>
  sql`select set_config(name, 'off', true) from unnest(array['enable_sort', 'enable_bitmapscan', 'enable_seqscan',
    'enable_hashjoin', 'enable_mergejoin', 'jit']) as name`.execute(transaction)

/**
 * Runs a query that reads the start of a range in the order of an index.
 */
export const readInIndexOrder = <T>(db: Db, read: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async transaction => {
    await preferIndexOrder(transaction)
    return await read(transaction)
  })
