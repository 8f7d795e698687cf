import { sql } from 'kysely'
import type { Db } from '../connection.js'

/**
 * Reads in a transaction whose statements may each take some time. The embedded database cannot stop a statement.
 * @throws StatementTimeout
 */
export const withTimeLimit = <T>(db: Db, limitMs: number, read: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async transaction => {
    await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(transaction)
    return await read(transaction)
  })
