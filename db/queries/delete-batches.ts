import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection.js'
import { preferIndexOrder } from './index-order.js'
import { retryConflicts } from './retry.js'

/** Deletes the rows of a table that meet a condition, `batchSize` in each transaction, so that others run in between. */
export async function deleteBatches (db: Db, table: string, condition: RawBuilder<unknown>, batchSize: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await retryConflicts(() => db.transaction().execute(async transaction => {
      await preferIndexOrder(transaction)
      return await sql`delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(batchSize)}))`.execute(transaction)
    }))
    if (numAffectedRows < batchSize) return
  }
}
