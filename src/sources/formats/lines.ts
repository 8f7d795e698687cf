/** Longest line that is read; what follows it in the line is left out. */
const longestLine = 16 * 1024 * 1024

/** A text's lines, without their ends, in time that is linear however long they are. */
export async function * linesOf (text: AsyncIterable<string>): AsyncIterable<string> {
  let rest = ''
  let returned = false
  for await (const part of text) {
    if (part === '') continue
    // The line feed of a pair that the pieces cut.
    const lines = (returned && part.startsWith('\n') ? part.slice(1) : part).split(/\r\n|\n|\r/)
    returned = part.endsWith('\r')
    if (rest.length < longestLine) rest += lines[0]!
    if (lines.length === 1) continue
    yield rest
    rest = lines.pop()!
    for (let index = 1; index < lines.length; index++) yield lines[index]!
  }
  if (rest !== '') yield rest
}

/** A line of a tagged format, such as "TI  - A title". */
export interface Tagged { tag: string, value: string }

/** Longest record that is kept. */
export const longestRecord = 8 * 1024 * 1024
