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
