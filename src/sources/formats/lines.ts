/** Maximum length of a line; the rest of a longer line is dropped. */
const maxLineCharacters = 16 * 1024 * 1024

/** Splits text into lines, in linear time for lines of any length. */
export async function * linesOf (text: AsyncIterable<string>): AsyncIterable<string> {
  let rest = ''
  let returned = false
  for await (const part of text) {
    if (part === '') continue
    // The line feed of a CRLF pair that two chunks split.
    const lines = (returned && part.startsWith('\n') ? part.slice(1) : part).split(/\r\n|\n|\r/)
    returned = part.endsWith('\r')
    if (rest.length < maxLineCharacters) rest += lines[0]!
    if (lines.length === 1) continue
    yield rest
    rest = lines.pop()!
    for (let index = 1; index < lines.length; index++) yield lines[index]!
  }
  if (rest !== '') yield rest
}

/** Counts the line breaks of a text. */
export function lineBreaks (text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** A line of a tagged format, such as "TI  - A title". */
export interface Tagged { tag: string, value: string }

/** Maximum length of a record. */
export const maxRecordCharacters = 8 * 1024 * 1024
