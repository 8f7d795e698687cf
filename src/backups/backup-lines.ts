import { StringDecoder } from 'node:string_decoder'

/**
 * Yields the lines of a backup, each when the one before has been processed. (Node's readline reads a thousand lines ahead, which can be
 * hundreds of megabytes, and splits at U+2028, which texts may contain.)
 */
export async function * readBackupLines (input: AsyncIterable<Buffer>): AsyncIterable<string> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  for await (const chunk of input) {
    const text = decoder.write(chunk)
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      yield [...parts, text.slice(start, end)].join('')
      parts = []
      start = end + 1
    }
    if (start < text.length) parts.push(text.slice(start))
  }
  if (parts.length > 0) yield parts.join('')
}
