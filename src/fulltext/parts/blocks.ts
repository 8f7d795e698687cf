/** A passage of a Markdown text that is never divided: a heading, paragraph, list item, quotation, table, formula or code block. */
export interface Block {
  /** Offset of its first character, in UTF-16 code units. */
  start: number
  /** Offset of the next block: blank lines belong to the block before them. */
  end: number
  /** 1 to 6 for a heading, 0 for anything else. */
  level: number
}

/** Maximum length: longer blocks are split at line ends, else at spaces, which bounds parts of texts without paragraphs. */
export const maxBlockChars = 50_000

const heading = /^(#{1,6})(?:[ \t]|\r?\n?$)/
const fence = /^ {0,3}(`{3,}|~{3,})/
const listItem = /^ ?(?:[-+*]|\d{1,9}[.)])(?:\s|$)/
const formula = /^ {0,3}\$\$/
const isBlank = (line: string) => !/\S/.test(line)
const isIndented = (line: string) => /^(?: {2}|\t)/.test(line)

/** The construct that encloses the current line: nothing, a code block with its fence, or a formula with the offset at which it ends. */
type Enclosure = { fence: string } | { formulaEnd: number } | undefined

/**
 * Divides a Markdown text into blocks, which together are the whole text. Reads each line once.
 * @see https://spec.commonmark.org/0.31.2/#blocks
 */
export function * readBlocks (text: string): Generator<Block> {
  let start = 0
  let level = 0
  let kind: 'none' | 'text' | 'list' | 'closed' = 'none'
  let isAfterBlank = false
  let enclosure: Enclosure
  for (let at = 0, next; at < text.length; at = next) {
    const newline = text.indexOf('\n', at)
    next = newline === -1 ? text.length : newline + 1
    // Emitted while it is read, so that readers can yield to the event loop.
    if (at - start > maxBlockChars) {
      for (const piece of divided(text, { start, end: at, level })) {
        // The block continues with the last piece.
        if (piece.end === at) break
        yield piece
        start = piece.end
        level = 0
      }
    }
    if (enclosure !== undefined && 'formulaEnd' in enclosure && at >= enclosure.formulaEnd) enclosure = undefined
    if (enclosure !== undefined) {
      if ('fence' in enclosure && closesFence(text, at, next, enclosure.fence)) enclosure = undefined
      continue
    }
    // The forms below look at the beginning of a line alone.
    const line = text.slice(at, Math.min(next, at + 200))
    if (isBlank(line) && next - at <= 200) {
      isAfterBlank = true
      continue
    }
    const marks = heading.exec(line)?.[1]
    const opened = marks === undefined ? openedBy(text, at, line) : undefined
    const isItem = listItem.test(line)
    const continues = isAfterBlank
      ? isIndented(line) && (kind === 'text' || kind === 'list')
      : kind === 'text' || (kind === 'list' && !isItem)
    if (kind !== 'none' && (!continues || marks !== undefined || opened !== undefined)) {
      yield * divided(text, { start, end: at, level })
      start = at
      kind = 'none'
    }
    if (kind === 'none') {
      level = marks?.length ?? 0
      kind = marks !== undefined || opened !== undefined ? 'closed' : isItem ? 'list' : 'text'
    }
    enclosure = opened
    isAfterBlank = false
  }
  if (start < text.length) yield * divided(text, { start, end: text.length, level })
}

/** A fence, or a formula that ends within a block's length at the end of a line. */
function openedBy (text: string, at: number, line: string): Enclosure {
  const opening = fence.exec(line)?.[1]
  // Backquotes after the fence make it a code span.
  if (opening !== undefined && !(opening.startsWith('`') && line.slice(line.indexOf(opening) + opening.length).includes('`'))) {
    return { fence: opening }
  }
  if (!formula.test(line)) return undefined
  const from = text.indexOf('$$', at) + 2
  const close = text.indexOf('$$', from)
  if (close === -1 || close - at > maxBlockChars) return undefined
  const newline = text.indexOf('\n', close)
  const formulaEnd = newline === -1 ? text.length : newline + 1
  return formulaEnd - close <= 200 && isBlank(text.slice(close + 2, formulaEnd)) ? { formulaEnd } : undefined
}

function closesFence (text: string, at: number, next: number, opening: string): boolean {
  if (next - at > 1000) return false
  const closing = fence.exec(text.slice(at, next))?.[1]
  return closing?.startsWith(opening) === true && isBlank(text.slice(text.indexOf(closing, at) + closing.length, next))
}

function * divided (text: string, { start, end, level }: Block): Generator<Block> {
  let from = start
  while (end - from > maxBlockChars) {
    const to = from + maxBlockChars
    const line = text.lastIndexOf('\n', to - 1) + 1
    const word = line > from ? line : text.lastIndexOf(' ', to - 1) + 1
    const cut = word > from ? word : isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to
    yield { start: from, end: cut, level: from === start ? level : 0 }
    from = cut
  }
  yield { start: from, end, level: from === start ? level : 0 }
}

const isHighSurrogate = (unit: number) => unit >= 0xD800 && unit <= 0xDBFF
