/** Reads the next piece while the caller works on one. */
export async function * prefetch<T> (pieces: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = pieces[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (; ;) {
      const { done, value } = await next
      if (done === true) return
      next = iterator.next()
      // If the caller stops early, nobody awaits this failure.
      next.catch(() => {})
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Does work for each piece, for one while the caller still has the former. */
export const workAhead = <T, R>(pieces: AsyncIterable<T>, work: (piece: T) => Promise<R>): AsyncIterable<R> =>
  prefetch(eachDone(pieces, work))

async function * eachDone<T, R> (pieces: AsyncIterable<T>, work: (piece: T) => Promise<R>): AsyncIterable<R> {
  for await (const piece of pieces) yield await work(piece)
}
