import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Runs a query that reads the start of a range in the order of an index. Without statistics, as in a new database, the planner takes any
 * range for short, and would read and sort all of it for each batch.
 */
export const readInIndexOrder = <T>(db: Db, read: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async transaction => {
    await sql`select set_config(name, 'off', true) from unnest(array['enable_sort', 'enable_bitmapscan', 'enable_seqscan',
      'enable_hashjoin', 'enable_mergejoin']) as name`.execute(transaction)
    return await read(transaction)
  })
