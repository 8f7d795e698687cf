import { FairQueue } from './fair-queue.js'

/*
 * Exports of accounts read one piece at a time, and so do those of share links: two at most leave the database free for other queries, and
 * readers without an account delay no account.
 */
const accounts = new FairQueue()
const shareLinks = new FairQueue()

/** Yields the pieces of an account's export. Concurrent exports read one piece at a time, and accounts take turns. */
export const interleaveExports = <T>(accountId: string, pieces: AsyncIterable<T>): AsyncIterable<T> =>
  interleave(accounts, accountId, pieces)

/** Yields the pieces of an export through a share link. Links take turns among each other. */
export const interleaveSharedExports = <T>(linkId: string, pieces: AsyncIterable<T>): AsyncIterable<T> =>
  interleave(shareLinks, linkId, pieces)

async function * interleave<T> (queue: FairQueue, owner: string, pieces: AsyncIterable<T>): AsyncIterable<T> {
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
