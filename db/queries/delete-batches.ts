import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection.js'
import { preferIndexOrder } from './index-order.js'
import { retryConflicts } from './retry.js'

/**
 * Deletes the rows of a table that meet a condition, `batchSize` in each transaction, so that others run in between. Ends only when no row
 * is left: of two deleters, one deletes nothing of a batch that it had to wait for.
 * @returns the number of deleted rows
 */
export async function deleteBatches (db: Db, table: string, condition: RawBuilder<unknown>, batchSize: number): Promise<number> {
  for (let total = 0; ;) {
    const { found, deleted } = await retryConflicts(() => db.transaction().execute(async transaction => {
      await preferIndexOrder(transaction)
      const { rows: [batch] } = await sql<{ found: number, deleted: number }>`
        with batch as materialized (
          select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(batchSize)}
        ), deleted as (
          delete from ${sql.table(table)} where ctid = any(array(select ctid from batch)) returning 1
        )
        select (select count(*) from batch)::integer as found, (select count(*) from deleted)::integer as deleted`.execute(transaction)
      return batch!
    }))
    if (found === 0) return total
    total += deleted
  }
}
