import pLimit from 'p-limit'

const oneAtATime = pLimit(1)

/** Yields the pieces of an export. Concurrent exports read one piece at a time, which leaves the database free for other queries. */
export async function * interleaveExports<T> (pieces: AsyncIterable<T>): AsyncIterable<T> {
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
