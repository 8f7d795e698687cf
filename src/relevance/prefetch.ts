/** Asks for the next piece while one is worked on. */
export async function * ahead<T> (pieces: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = pieces[Symbol.asyncIterator]()
  let next = iterator.next()
  for (; ;) {
    const { done, value } = await next
    if (done === true) return
    next = iterator.next()
    // Whoever stops listening stops to hear of its failure too.
    next.catch(() => {})
    yield value
  }
}
