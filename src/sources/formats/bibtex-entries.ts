import { longestRecord } from './lines.js'

/** One `@…{…}` of a file, with its key ('' where it has none) and text; `fault` where it never ended or is too long. */
export interface RawEntry { type: string, key: string, text: string, fault?: string }

export const keyForm = /^(?<begin>@\s*[A-Za-z]+\s*[{(]\s*)(?<key>[^\s,={}"]+)\s*,/
/** As much of a broken entry as its key is looked for in. */
const opening = 1024

/** Not behind a letter, since addresses of persons have the sign too, nor behind a percent sign, which makes it a comment. */
const begin = /(?<![\w.%])@\s*([A-Za-z]+)\s*(?:%[^\n]*\n\s*)*([{(])/g
/** The beginning of an entry, where one should be: at the beginning of a line, with a key. */
const fresh = /@[A-Za-z]+\s*[{(]\s*[^\s,={}"]+\s*,/y
/** In these, whole entries may stand. */
const wrapping = new Set(['comment', 'preamble'])

/**
 * Splits BibTeX into its entries, so that one is parsed at a time. What stands between entries is a comment. An entry whose braces do
 * not close ends where a line begins the next one.
 */
export async function * entriesOf (text: AsyncIterable<string>): AsyncIterable<RawEntry> {
  let rest = ''
  let entries = 0
  let anything = false
  for await (const part of text) {
    rest += part
    anything ||= /\S/.test(part)
    const split = splitEntries(rest, false)
    entries += split.entries.length
    yield * split.entries
    rest = split.left
  }
  const last = splitEntries(rest, true).entries
  yield * last
  if (entries + last.length === 0 && anything) yield { type: '', key: '', text: '', fault: 'the file holds no entry, such as @article{…}' }
}

function splitEntries (text: string, atEnd: boolean): { entries: RawEntry[], left: string } {
  const entries: RawEntry[] = []
  let from = 0
  for (;;) {
    begin.lastIndex = from
    const found = begin.exec(text)
    // A last line may still become the beginning of an entry; the character before it tells whether it can.
    if (found === null) return { entries, left: atEnd ? '' : text.slice(Math.max(from, text.lastIndexOf('@') - 1)).slice(-4096) }
    const type = found[1]!.toLowerCase()
    const { end, next, isUnclosed } = endOf(text, begin.lastIndex, found[2]!, wrapping.has(type))
    if (end !== undefined) {
      const whole = text.slice(found.index, end)
      entries.push({ type, key: keyOf(whole), text: whole })
      from = end
      continue
    }
    const isLong = (next ?? text.length) - found.index > longestRecord
    if (!isLong && !isUnclosed && !atEnd) return { entries, left: text.slice(found.index) }
    entries.push({ type, key: keyOf(text.slice(found.index, found.index + opening)), text: '', fault: isLong ? 'the entry is longer than 8 MB' : 'the entry\'s braces do not close' })
    if (next === undefined) return { entries, left: '' }
    from = next
  }
}

const keyOf = (text: string) => keyForm.exec(text)?.groups?.key ?? ''

/** Where an entry ends, or where the next one begins instead; `isUnclosed` once that is certain. */
interface End { end?: number, next?: number, isUnclosed?: true }

/**
 * Looks for the end of the entry that opened before `at`. A brace behind a backslash is a letter. One line that looks like the
 * beginning of an entry may be part of a text; a second one shows that the braces do not close, without reading the whole file.
 */
function endOf (text: string, at: number, opened: string, isWrapping: boolean): End {
  let depth = 1
  let quoted = false
  let next: number | undefined
  for (let index = at; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === 92) index++
    else if (character === 123) depth++
    else if (character === 125) {
      depth--
      if (depth === 0) return { end: index + 1 }
    } else if (opened === '(' && depth === 1 && character === 34) quoted = !quoted
    else if (opened === '(' && depth === 1 && character === 41 && !quoted) return { end: index + 1 }
    else if (character === 64 && !isWrapping && beginsEntry(text, index)) {
      if (next !== undefined) return { next, isUnclosed: true }
      next = index
    }
  }
  return next === undefined ? {} : { next }
}

function beginsEntry (text: string, at: number): boolean {
  let before = at - 1
  while (text[before] === ' ' || text[before] === '\t') before--
  fresh.lastIndex = at
  return text[before] === '\n' && fresh.test(text)
}
