import { shortText } from '../../../schemas/short-text.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { findSection } from './find-section.js'
import { type Section, type Structure, readStructure, structureOf } from './structure.js'

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
  outline: Section[]
}

/**
 * Reads a part of a Markdown text: as many whole blocks as fit in `maxChars`, at least one.
 * @param version identifies the text, if other parts of it may be read soon
 * @throws InvalidArguments for an unknown section and an offset outside of it or of the text
 */
export async function readPart (text: string, request: PartRequest, version?: string): Promise<Part> {
  const { outline, section, offset, maxChars } = request
  const { starts, sections } = version === undefined ? await readStructure(text) : await structureOf(text, version)
  const common = { totalChars: text.length, outline: outline === false ? [] : sections }
  if (outline === true && section === undefined && offset === undefined && maxChars === undefined) {
    return {
      ...common,
      text: '',
      label: `Outline: ${formatted(sections.length)} sections, ${formatted(text.length)} characters`,
      offset: 0,
      nextOffset: text === '' ? null : 0
    }
  }
  const named = section === undefined ? undefined : findSection(sections, section)
  const limit = named === undefined ? text.length : named.offset + named.chars
  const from = blockAt(starts, checkedOffset(offset, named, text.length), text.length)
  const end = endOf({ starts, sections }, from, { limit, maxChars: maxChars ?? defaultPartChars })
  const label = labelOf({ sections, named, from, end, total: text.length })
  const isOver = end - from > (maxChars ?? defaultPartChars)
  return {
    ...common,
    text: text.slice(from, end),
    label: isOver ? `${label} (one block, longer than max_chars)` : label,
    offset: from,
    nextOffset: end < limit ? end : null
  }
}

/** @throws InvalidArguments */
function checkedOffset (offset: number | undefined, section: Section | undefined, total: number): number {
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
  sections: readonly Section[]
  named: Section | undefined
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
