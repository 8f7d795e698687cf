import { lineBreaks, maxRecordCharacters } from './lines.js'

/** One `@…{…}` of a file: its key ('' if missing), text and line. `fault` is set if the entry is unclosed or too long. */
export interface RawEntry { type: string, key: string, text: string, line: number, fault?: string }

export const keyForm = /^(?<begin>@\s*[A-Za-z]+\s*[{(]\s*)(?<key>[^\s,={}"]+)\s*,/
/** Length of the part of a broken entry that is searched for its key. */
const keySearchLength = 1024

/** Start of an entry. An @ after a letter is an email address, and one after a percent sign is a comment. */
const entryStartPattern = /(?<![\w.%])@\s*([A-Za-z]+)\s*(?:%[^\n]*\n\s*)*([{(])/g
/** Start of a well-formed entry: at the start of a line, with a key. */
const entryStart = /@[A-Za-z]+\s*[{(]\s*[^\s,={}"]+\s*,/y
/** Entry types that can contain entries. */
const wrapping = new Set(['comment', 'preamble'])

/**
 * Splits BibTeX into entries, which are then parsed one at a time. Text between entries is a comment. An entry with unclosed braces ends
 * at the next line that starts an entry.
 */
export async function * entriesOf (text: AsyncIterable<string>): AsyncIterable<RawEntry> {
  let pending = ''
  let line = 1
  let entries = 0
  let hasText = false
  for await (const part of text) {
    pending += part
    hasText ||= /\S/.test(part)
    const split = splitEntries(pending, line, false)
    entries += split.entries.length
    yield * split.entries
    line += lineBreaks(pending.slice(0, split.end))
    pending = pending.slice(split.end)
  }
  const last = splitEntries(pending, line, true).entries
  yield * last
  if (entries + last.length > 0 || !hasText) return
  yield { type: '', key: '', text: '', line: 1, fault: 'the file contains no entry such as @article{…}' }
}

/** Splits a text that begins on a line. @returns its entries and the end of what they and the text between them take */
function splitEntries (text: string, line: number, atEnd: boolean): { entries: RawEntry[], end: number } {
  const entries: RawEntry[] = []
  let from = 0
  let counted = 0
  const lineAt = (at: number) => {
    line += lineBreaks(text.slice(counted, at))
    counted = at
    return line
  }
  for (;;) {
    entryStartPattern.lastIndex = from
    const entryStart = entryStartPattern.exec(text)
    if (entryStart === null) {
      // The last line may be the start of an entry that the next chunk completes; keep the character before it.
      return { entries, end: atEnd ? text.length : Math.max(from, text.lastIndexOf('@') - 1, text.length - 4096) }
    }
    const type = entryStart[1]!.toLowerCase()
    const { end, next, isUnclosed } = endOf(text, entryStartPattern.lastIndex, entryStart[2]!, wrapping.has(type))
    if (end !== undefined) {
      const whole = text.slice(entryStart.index, end)
      entries.push({ type, key: keyOf(whole), text: whole, line: lineAt(entryStart.index) })
      from = end
      continue
    }
    const isLong = (next ?? text.length) - entryStart.index > maxRecordCharacters
    if (!isLong && !isUnclosed && !atEnd) return { entries, end: entryStart.index }
    entries.push({
      type,
      key: keyOf(text.slice(entryStart.index, entryStart.index + keySearchLength)),
      text: '',
      line: lineAt(entryStart.index),
      fault: isLong ? 'the entry is longer than 8 MB' : 'the entry has unclosed braces'
    })
    if (next === undefined) return { entries, end: text.length }
    from = next
  }
}

const keyOf = (text: string) => keyForm.exec(text)?.groups?.key ?? ''

/** End of an entry, or start of the next one if the entry is unclosed. */
interface End { end?: number, next?: number, isUnclosed?: true }

/**
 * Searches for the end of the entry that opened before `at`. An escaped brace is text. One line that looks like the start of an entry may
 * be text; a second one proves that the braces are unclosed, without reading the whole file.
 */
function endOf (text: string, at: number, openingBracket: string, isWrapping: boolean): End {
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
    } else if (openingBracket === '(' && depth === 1 && character === 34) quoted = !quoted
    else if (openingBracket === '(' && depth === 1 && character === 41 && !quoted) return { end: index + 1 }
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
  entryStart.lastIndex = at
  return text[before] === '\n' && entryStart.test(text)
}
