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
