import type { FairQueue } from './fair-queue.js'

/** Yields the pieces of an owner's work. Work of a queue reads one piece at a time, and its owners take turns. */
export async function * interleave<T> (queue: FairQueue, owner: string, pieces: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await queue.run(owner, () => iterator.next())
      if (done === true) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}
