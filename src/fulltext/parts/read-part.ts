import type { TextSection } from '../../../schemas/markdown.js'
import { shortText } from '../../../schemas/short-text.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { createYielder } from '../../threads/yielder.js'
import { anchorAt, anchoredChars, type Passage, passagesIn } from './anchors.js'
import { maxBlockChars, readBlocks } from './blocks.js'
import { findSection } from './find-section.js'

/** A text that is read in parts. Offsets and lengths are in UTF-16 code units. */
export interface DividedText {
  characters: number
  sections: readonly TextSection[]
  /**
   * Reads the stored parts that have the characters from one offset to another, in order; each has whole blocks. The last part, if the
   * text ends before.
   */
  read: (from: number, to: number) => Promise<ReadonlyArray<{ start: number, markdown: string }>>
}

/** Default length of a part in characters. Most clients pass this many to a model without truncation. */
const defaultPartChars = 20_000

/** Selects a part of a text. */
export interface PartRequest {
  /** Without the other members: the outline alone. */
  outline?: boolean | undefined
  /** Number or title of a section. */
  section?: string | undefined
  /** In UTF-16 code units from the beginning of the text; the part begins with the block that holds this character. */
  offset?: number | undefined
  maxChars?: number | undefined
}

/** Whole blocks of a text, one after another. */
export interface Part {
  text: string
  /** Description of the part: "3 of 12: Methods, 4,100 of 61,000 characters". */
  label: string
  offset: number
  totalChars: number
  /** Offset of the next part; null at the end of the text or the requested section. */
  nextOffset: number | null
  outline: readonly TextSection[]
  /** Of its first block. */
  anchor: string
  passages: Passage[]
}

/**
 * Reads a part of a Markdown text: as many whole blocks as fit in `maxChars`, at least one.
 * @throws InvalidArguments for an unknown section and an offset outside of it or of the text
 */
export async function readPart (text: DividedText, request: PartRequest): Promise<Part> {
  const { characters: total, sections } = text
  const { outline, section, offset, maxChars = defaultPartChars } = request
  const common = { totalChars: total, outline: outline === false ? [] : sections }
  if (outline === true && section === undefined && offset === undefined && request.maxChars === undefined) {
    return {
      ...common,
      text: '',
      label: `Outline: ${formatted(sections.length)} sections, ${formatted(total)} characters`,
      offset: 0,
      nextOffset: total === 0 ? null : 0,
      anchor: anchorAt((await readWindow(text, 0, 0)).text, 0),
      passages: []
    }
  }
  const named = section === undefined ? undefined : findSection(sections, section)
  const limit = named === undefined ? total : named.offset + named.chars
  const wanted = checkedOffset(offset, named, total)
  const window = await readWindow(text, wanted, wanted + Math.max(maxChars, maxBlockChars))
  const from = blockAt(window.starts, wanted, total)
  const end = endOf({ starts: window.starts, sections }, from, { limit, maxChars })
  const label = labelOf({ sections, named, from, end, total })
  const inWindow = [from - window.start, end - window.start] as const
  return {
    ...common,
    text: window.text.slice(...inWindow),
    label: end - from > maxChars ? `${label} (one block, longer than max_chars)` : label,
    offset: from,
    nextOffset: end < limit ? end : null,
    anchor: anchorAt(window.text, inWindow[0]),
    passages: await passagesIn(window.text, ...inWindow)
  }
}

/** Stored parts, one after another. */
interface Window {
  text: string
  /** Offset of its beginning. */
  start: number
  /** Offsets at which its blocks begin, in order, and that of its end. */
  starts: number[]
}

/** Reads what has the characters from one offset to another, and what anchors of its blocks need. */
async function readWindow (text: DividedText, from: number, to: number): Promise<Window> {
  const parts = await text.read(from, to + anchoredChars)
  const starts: number[] = []
  const yieldIfDue = createYielder()
  for (const { start, markdown } of parts) {
    for (const block of readBlocks(markdown)) {
      starts.push(start + block.start)
      const pause = yieldIfDue()
      if (pause !== undefined) await pause
    }
  }
  const window = parts.map(({ markdown }) => markdown).join('')
  const start = parts[0]?.start ?? 0
  return { text: window, start, starts: [...starts, start + window.length] }
}

/** Offsets at which blocks begin, in order, and the sections of the text. */
interface Structure { starts: readonly number[], sections: readonly TextSection[] }

/** @throws InvalidArguments */
function checkedOffset (offset: number | undefined, section: TextSection | undefined, total: number): number {
  const [start, end] = section === undefined ? [0, total] : [section.offset, section.offset + section.chars]
  if (offset === undefined) return start
  if (offset >= start && offset <= end) return offset
  const where = section === undefined ? `the text has ${formatted(total)} characters` : `section ${section.number} is at ${start} to ${end}`
  throw new InvalidArguments(
    `offset is ${offset}, but ${where}. Use the next_offset of the part before, or the offset of a section in the outline.`
  )
}

/** The beginning of the block that holds a character. The offset behind the last character stays. */
const blockAt = (starts: Structure['starts'], offset: number, total: number): number =>
  offset === total ? total : (starts[lastAtOrBefore(starts, offset)] ?? 0)

/** Returns the index of the last element that is at most `value`, or -1. */
function lastAtOrBefore (sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The end of the last block that fits, without the headings of what does not. A section's end is the beginning of a block. */
function endOf ({ starts, sections }: Structure, from: number, { limit, maxChars }: { limit: number, maxChars: number }): number {
  if (limit - from <= maxChars) return limit
  const first = lastAtOrBefore(starts, from)
  let next = lastAtOrBefore(starts, from + maxChars)
  if (next <= first) return Math.min(starts[first + 1] ?? limit, limit)
  while (next - 1 > first && sections.some(({ offset }) => offset === starts[next - 1])) next--
  return Math.min(starts[next]!, limit)
}

function labelOf ({
  sections,
  named,
  from,
  end,
  total
}: {
  sections: readonly TextSection[]
  named: TextSection | undefined
  from: number
  end: number
  total: number
}): string {
  const size = `${formatted(end - from)} of ${formatted(total)} characters`
  const first = named ?? sections.findLast(({ offset }) => offset <= from)
  if (first === undefined) return size
  const last = named ?? sections.findLast(({ offset }) => offset < end) ?? first
  const continued = from > first.offset ? ' (continued)' : ''
  const numbers = last.number > first.number ? `${first.number} to ${last.number}` : String(first.number)
  const titles =
    last.number > first.number ? `${short(first.title)}${continued} to ${short(last.title)}` : `${short(first.title)}${continued}`
  return `${numbers} of ${sections.length}: ${titles}, ${size}`
}

const short = (title: string) => shortText(title, 80)

const formatted = (count: number) => count.toLocaleString('en-US')
