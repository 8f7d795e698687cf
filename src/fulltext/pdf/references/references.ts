import { type TextMetrics, median } from '../extract/text-metrics.js'
import { type Block, isReferencesTitle, type TextBlock } from '../layout/block.js'
import { joinLines, type Joiner } from '../layout/hyphenation.js'
import type { Line } from '../layout/lines.js'

/** Splits the reference list into one block per reference, across columns and pages. */
export function splitReferences (blocks: Block[], metrics: TextMetrics, join: Joiner): Block[] {
  const whole: Block[] = []
  for (let at = 0; at < blocks.length;) {
    const block = blocks[at++]!
    whole.push(block)
    if (block.kind !== 'heading' || !isReferencesTitle(block.text)) continue
    let end = at
    while (end < blocks.length && blocks[end]!.kind !== 'heading') end++
    whole.push(...splitEntries(blocks.slice(at, end), metrics, join))
    at = end
  }
  return whole
}

function splitEntries (section: Block[], metrics: TextMetrics, join: Joiner): Block[] {
  const paragraphs = section.filter((block): block is TextBlock => block.kind === 'paragraph')
  const starts = findEntryStarts(paragraphs.map(({ lines }) => lines), metrics)
  const style = findMainStyle(paragraphs)
  const blocks: Block[] = []
  let entry: TextBlock | null = null
  const last = paragraphs.findLastIndex(({ lines }) => lines.some(line => starts.has(line)))
  for (const [at, paragraph] of paragraphs.entries()) {
    // Publisher notes after the last entry have a different style.
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
  for (const block of blocks) if (block.kind === 'reference') block.text = joinLines(block.lines, join)
  return [...blocks, ...section.filter(({ kind }) => kind !== 'paragraph')]
}

function findMainStyle (paragraphs: TextBlock[]): string | undefined {
  const letters = new Map<string, number>()
  for (const line of paragraphs.flatMap(({ lines }): Line[] => lines)) {
    letters.set(line.style, (letters.get(line.style) ?? 0) + line.letters)
  }
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0]
}

/** Matches the number of an entry, with or without a space after it: "[12]", "12.", "(12)", "12". */
const entryNumber = /^([[(]?)(\d{1,3})([\])]?[.:]?)(?=\s|[\p{L}"“]|$)/u
/** Matches an author-year or alphabetic label: "[Smith 2020]", "[Smi20]". */
const entryName = /^\[\w[^\]]{0,40}\]/
/** Minimum hanging indent, relative to the body font size. */
const minIndentRatio = 0.6
/** Right-aligned numbers start after the left edge: the maximum offset of "9.", relative to the body font size. */
const maxShiftRatio = 1.6
/** Tolerated gaps in the sequence of entry numbers. */
const maxMissingNumbers = 2
/** If entries were longer on average, the labels would not be those of references. */
const maxLinesPerReference = 12

/** Finds the first line of each entry by number, bracketed name, hanging indent or vertical gap, in this order. */
function findEntryStarts (paragraphs: Line[][], metrics: TextMetrics): ReadonlySet<Line> {
  const lines = paragraphs.flat()
  const leftOf = createLeftEdgeLookup(lines, metrics)
  const numbered = findNumberedStarts(lines.filter(line => line.x0 - leftOf(line) < maxShiftRatio * metrics.bodySize))
  if (numbered.length >= 2 && numbered.length * maxLinesPerReference >= lines.length) return new Set(numbered)
  const named = lines.filter(({ text }) => entryName.test(text))
  if (named.length >= 2 && named.length * maxLinesPerReference >= lines.length) return new Set(named)
  const flush = lines.filter(line => line.x0 - leftOf(line) < minIndentRatio * metrics.bodySize)
  if (flush.length < 0.85 * lines.length) return new Set(flush)
  return new Set(findUnlabeledStarts(paragraphs, metrics))
}

/** Returns the lines of the longest ascending number sequence in one format. */
function findNumberedStarts (lines: Line[]): Line[] {
  const numberedLines = lines.flatMap(line => {
    const match = entryNumber.exec(line.text)
    return match === null ? [] : [{ line, value: Number(match[2]), form: `${match[1]}1${match[3]}` }]
  })
  const rows = [...new Set(numberedLines.map(({ form }) => form))].map(form => {
    const row: typeof numberedLines = []
    for (const each of numberedLines) {
      const last = row.at(-1)
      if (
        each.form === form &&
        (last === undefined
          ? each.value <= 1 + maxMissingNumbers
          : each.value > last.value && each.value <= last.value + 1 + maxMissingNumbers)
      ) { row.push(each) }
    }
    return row
  })
  return rows.reduce<typeof numberedLines>((best, row) => row.length > best.length ? row : best, []).map(({ line }) => line)
}

/** Finds entries without number and indent: after a gap, or after a short last line. */
function findUnlabeledStarts (paragraphs: Line[][], { bodySize }: TextMetrics): Line[] {
  const lines = paragraphs.flat()
  const first = new Set(paragraphs.map(([line]) => line))
  const right = lines.reduce((right, { x1 }) => Math.max(right, x1), 0)
  const step = median(lines.slice(1).map(({ y }, at) => y - lines[at]!.y).filter(step => step > 0)) ?? 0
  return lines.filter((line, at) => {
    const before = lines[at - 1]
    if (before === undefined) return true
    const gap = line.y - before.y
    return gap > 0
      ? gap > 1.2 * step || (before.text.endsWith('.') && before.x1 < right - bodySize)
      : first.has(line) && /[.\d]$/.test(before.text)
  })
}

/** Returns a lookup of the left edge of a line's column. */
function createLeftEdgeLookup (lines: Line[], { bodySize }: TextMetrics): (line: Line) => number {
  const columns = new Map<number, number[]>()
  for (const { page, x0 } of [...lines].sort((a, b) => a.x0 - b.x0)) {
    const edges = columns.get(page) ?? []
    if (edges.length === 0) columns.set(page, edges)
    if (edges.length === 0 || x0 - edges.at(-1)! > 6 * bodySize) edges.push(x0)
  }
  return ({ page, x0 }) => columns.get(page)!.findLast(edge => edge <= x0)!
}
