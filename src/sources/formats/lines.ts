/** Longest line that is read; what follows it in the line is left out. */
const longestLine = 16 * 1024 * 1024

/** A text's lines, without their ends. */
export async function * linesOf (text: AsyncIterable<string>): AsyncIterable<string> {
  let rest = ''
  for await (const part of text) {
    const lines = (rest + part).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
    if (rest.length > longestLine) rest = rest.slice(0, longestLine)
    yield * lines
  }
  if (rest !== '') yield rest.replace(/\r$/, '')
}

/** A line of a tagged format, such as "TI  - A title". */
export interface Tagged { tag: string, value: string }

/** Longest record that is kept. */
export const longestRecord = 8 * 1024 * 1024
