import { type Measures, median } from '../extract/measures.js'
import { type Block, isReferencesTitle, type TextBlock } from '../layout/block.js'
import { joined, type Joiner } from '../layout/hyphenation.js'
import type { Line } from '../layout/lines.js'

/** Splits the text under the references' heading into one block for each, across columns and pages. */
export function withReferences (blocks: Block[], measures: Measures, join: Joiner): Block[] {
  const whole: Block[] = []
  for (let at = 0; at < blocks.length;) {
    const block = blocks[at++]!
    whole.push(block)
    if (block.kind !== 'heading' || !isReferencesTitle(block.text)) continue
    let end = at
    while (end < blocks.length && blocks[end]!.kind !== 'heading') end++
    whole.push(...entriesOf(blocks.slice(at, end), measures, join))
    at = end
  }
  return whole
}

function entriesOf (section: Block[], measures: Measures, join: Joiner): Block[] {
  const paragraphs = section.filter((block): block is TextBlock => block.kind === 'paragraph')
  const starts = startsOfEntries(paragraphs.map(({ lines }) => lines), measures)
  const style = commonStyle(paragraphs)
  const blocks: Block[] = []
  let entry: TextBlock | null = null
  const last = paragraphs.findLastIndex(({ lines }) => lines.some(line => starts.has(line)))
  for (const [at, paragraph] of paragraphs.entries()) {
    // Notes of the publisher follow the last entry in a style of their own.
    if (at > last && paragraph.lines.every(line => line.style !== style)) {
      blocks.push(paragraph)
      entry = null
      continue
    }
    for (const line of paragraph.lines) {
      if (entry === null || starts.has(line)) blocks.push(entry = { ...paragraph, kind: 'reference', lines: [line] })
      else entry.lines.push(line)
    }
  }
  for (const block of blocks) if (block.kind === 'reference') block.text = joined(block.lines, join)
  return [...blocks, ...section.filter(({ kind }) => kind !== 'paragraph')]
}

function commonStyle (paragraphs: TextBlock[]): string | undefined {
  const letters = new Map<string, number>()
  for (const line of paragraphs.flatMap(({ lines }): Line[] => lines)) letters.set(line.style, (letters.get(line.style) ?? 0) + line.letters)
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0]
}

/** A number that an entry begins with: "[12]", "12.", "(12)", "12", also without a blank behind it. */
const number = /^([[(]?)(\d{1,3})([\])]?[.:]?)(?=\s|[\p{L}"“]|$)/u
const name = /^\[\w[^\]]{0,40}\]/
/** An indent, in heights of the running text's font. */
const leastIndent = 0.6
/** Numbers are set to the right: "9." stands this much behind the left edge at most, in heights of the font. */
const mostShift = 1.6
/** Entries that are left out of a row of numbers, as those whose number is not read. */
const mostMissing = 2
/** Longer ones are no references, so their numbers are none of entries. */
const mostLines = 12

/** The first lines of the entries of a list of references, told by their numbers, names in brackets, hanging indent, or the gaps between them. */
function startsOfEntries (paragraphs: Line[][], measures: Measures): ReadonlySet<Line> {
  const lines = paragraphs.flat()
  const leftOf = leftEdges(lines, measures)
  const numbered = numberedStarts(lines.filter(line => line.x0 - leftOf(line) < mostShift * measures.bodySize))
  if (numbered.length >= 2 && numbered.length * mostLines >= lines.length) return new Set(numbered)
  const named = lines.filter(({ text }) => name.test(text))
  if (named.length >= 2 && named.length * mostLines >= lines.length) return new Set(named)
  const flush = lines.filter(line => line.x0 - leftOf(line) < leastIndent * measures.bodySize)
  if (flush.length < 0.85 * lines.length) return new Set(flush)
  return new Set(apartStarts(paragraphs, measures))
}

/** The lines whose numbers are a row, all written in the way that most are. */
function numberedStarts (lines: Line[]): Line[] {
  const found = lines.flatMap(line => {
    const match = number.exec(line.text)
    return match === null ? [] : [{ line, value: Number(match[2]), form: `${match[1]}1${match[3]}` }]
  })
  const rows = [...new Set(found.map(({ form }) => form))].map(form => {
    const row: typeof found = []
    for (const each of found) {
      const last = row.at(-1)
      if (each.form === form && (last === undefined ? each.value <= 1 + mostMissing : each.value > last.value && each.value <= last.value + 1 + mostMissing)) row.push(each)
    }
    return row
  })
  return rows.reduce<typeof found>((most, row) => row.length > most.length ? row : most, []).map(({ line }) => line)
}

/** Entries without number and indent: a gap above them, or the entry before ends its last line early. */
function apartStarts (paragraphs: Line[][], { bodySize }: Measures): Line[] {
  const lines = paragraphs.flat()
  const first = new Set(paragraphs.map(([line]) => line))
  const right = lines.reduce((right, { x1 }) => Math.max(right, x1), 0)
  const step = median(lines.slice(1).map(({ y }, at) => y - lines[at]!.y).filter(step => step > 0)) ?? 0
  return lines.filter((line, at) => {
    const before = lines[at - 1]
    if (before === undefined) return true
    const gap = line.y - before.y
    return gap > 0 ? gap > 1.2 * step || (before.text.endsWith('.') && before.x1 < right - bodySize) : first.has(line) && /[.\d]$/.test(before.text)
  })
}

/** The left edge of a line's column on its page. */
function leftEdges (lines: Line[], { bodySize }: Measures): (line: Line) => number {
  const columns = new Map<number, number[]>()
  for (const { page, x0 } of [...lines].sort((a, b) => a.x0 - b.x0)) {
    const edges = columns.get(page) ?? []
    if (edges.length === 0) columns.set(page, edges)
    if (edges.length === 0 || x0 - edges.at(-1)! > 6 * bodySize) edges.push(x0)
  }
  return ({ page, x0 }) => columns.get(page)!.findLast(edge => edge <= x0)!
}
