import pLimit from 'p-limit'

const oneAtATime = pLimit(1)

/**
 * Yields the pieces of an export. Of all exports, one reads at a time and they take turns, so that others find the database free in
 * between.
 */
export async function * inExportTurns<T> (pieces: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await oneAtATime(() => iterator.next())
      if (done === true) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
