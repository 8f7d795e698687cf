import { sql } from 'kysely'

/** Bytes of records that one statement reads, unless it is one record: as much as 500 ordinary ones have. */
export const maxRecordBytes = 2_000_000

/** What is recorded of papers of earlier versions, which were not measured. */
const unmeasured = sql.lit(4000)
const stored = sql.join(
  ['authors', 'metadata', 'abstract'].map(column => sql`coalesce(pg_column_size(${sql.ref(`paper.${column}`)}), 0)`),
  sql` + `
)

/** About the bytes of the record of a row of `paper`. The database compresses what it has beyond 2 kB, to about a sixth. */
export const paperBytes = sql<number>`case when paper.bytes = ${unmeasured} then greatest(paper.bytes, 6 * (${stored} - 2000))
  else paper.bytes end`

/** Divides items into batches, by their bytes. An item with more bytes than a batch may have is a batch of its own. */
export function * batchesOf<T> (
  items: readonly T[],
  bytes: readonly number[],
  { maxItems = Infinity, maxBytes }: { maxItems?: number, maxBytes: number }
): Iterable<T[]> {
  let batch: T[] = []
  let batchBytes = 0
  for (const [at, item] of items.entries()) {
    if (batch.length === maxItems || (batch.length > 0 && batchBytes + bytes[at]! > maxBytes)) {
      yield batch
      batch = []
      batchBytes = 0
    }
    batch.push(item)
    batchBytes += bytes[at]!
  }
  if (batch.length > 0) yield batch
}
