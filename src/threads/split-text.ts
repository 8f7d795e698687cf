/** Yields a text in pieces of about a length; never cuts between the halves of a surrogate pair, which mean nothing apart. */
export function * splitText (text: string, pieceLength: number): Iterable<string> {
  for (let from = 0; from < text.length;) {
    const end = from + pieceLength
    const to = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end
    yield text.slice(from, to)
    from = to
  }
}
