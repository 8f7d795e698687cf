import { longestRecord } from './lines.js'

/** One `@…{…}` of a file, with its text; `fault` where it never ended or is too long. */
export interface RawEntry { type: string, text: string, fault?: string }

const begin = /@\s*([A-Za-z]+)\s*(?:%[^\n]*\n\s*)*([{(])/g

/**
 * Splits BibTeX into its entries, so that one is parsed at a time. What stands between entries is a comment. An entry whose braces do
 * not close ends where a line begins the next one.
 */
export async function * entriesOf (text: AsyncIterable<string>): AsyncIterable<RawEntry> {
  let rest = ''
  for await (const part of text) {
    rest += part
    const { entries, left } = split(rest, false)
    yield * entries
    rest = left
  }
  yield * split(rest, true).entries
}

function split (text: string, atEnd: boolean): { entries: RawEntry[], left: string } {
  const entries: RawEntry[] = []
  let from = 0
  for (;;) {
    begin.lastIndex = from
    const found = begin.exec(text)
    // A last line may still become the beginning of an entry.
    if (found === null) return { entries, left: atEnd ? '' : text.slice(Math.max(from, text.lastIndexOf('@'))).slice(-4096) }
    const type = found[1]!.toLowerCase()
    const end = endOf(text, begin.lastIndex, found[2]!)
    if (end !== undefined) {
      entries.push({ type, text: text.slice(found.index, end) })
      from = end
      continue
    }
    const next = /\n[ \t]*@[A-Za-z]+\s*[{(]/.exec(text.slice(begin.lastIndex))
    const unclosed = text.length - found.index > longestRecord || atEnd
    if (!unclosed) return { entries, left: text.slice(found.index) }
    entries.push({ type, text: '', fault: text.length - found.index > longestRecord && next === null ? 'the entry is longer than 8 MB' : 'the entry\'s braces do not close' })
    if (next === null) return { entries, left: '' }
    from = begin.lastIndex + next.index
  }
}

/** Where the entry that opened before `at` ends; undefined where it does not. A brace behind a backslash is a letter. */
function endOf (text: string, at: number, opened: string): number | undefined {
  let depth = 1
  for (let index = at; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === 92) index++
    else if (character === 123) depth++
    else if (character === 125) {
      depth--
      if (depth === 0) return index + 1
    } else if (opened === '(' && character === 41 && depth === 1) return index + 1
  }
  return undefined
}
