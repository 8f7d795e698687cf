import { captionLabel, type TextBlock } from './block.js'
import { createColumnLookup, type Edges } from './columns.js'
import type { PageLines } from './headers-footers.js'
import type { Line } from './lines.js'
import type { TextMetrics } from '../extract/text-metrics.js'

/** A block with the index of its first line on the page. */
export interface PlacedBlock { lineIndex: number, block: TextBlock }

/** Limits of an indent, relative to the body font size. */
const [minIndentRatio, maxIndentRatio] = [0.7, 5]

/** Groups the lines of a page, except `used`, into paragraphs and captions. Keeps their order. */
export function groupParagraphs (page: PageLines, metrics: TextMetrics, used: ReadonlySet<Line>): PlacedBlock[] {
  const columnOf = createColumnLookup(page, metrics)
  const groups: Array<{ lineIndex: number, lines: Line[], edges: Edges }> = []
  let isOpen = false
  for (const [lineIndex, line] of page.lines.entries()) {
    const last = isOpen ? groups.at(-1) : undefined
    isOpen = !used.has(line)
    if (!isOpen) continue
    const edges = columnOf(line)
    if (last === undefined || startsParagraph(line, last.lines, edges, metrics)) groups.push({ lineIndex, lines: [line], edges })
    else last.lines.push(line)
  }
  return groups.map(({ lineIndex, lines, edges }) => ({ lineIndex, block: buildBlock(lines, edges, metrics) }))
}

/** Whether a line starts a new paragraph after the lines `before`. */
function startsParagraph (line: Line, before: Line[], { left, right }: Edges, metrics: TextMetrics): boolean {
  const { bodyFont, bodySize, bodyStyle, leading } = metrics
  const last = before.at(-1)!
  const first = before[0]!
  const step = line.y - last.y
  const onBaseline = Math.abs(step) < 0.3 * line.size
  // A wide gap splits this line into parts.
  if (onBaseline && line.x0 > last.x1 - 1 && line.x0 - last.x1 < 3 * bodySize && line.style === last.style) return false
  if (step < -1 || onBaseline) return true
  const x0 = Math.min(...before.map(({ x0 }) => x0))
  const x1 = Math.max(...before.map(({ x1 }) => x1))
  if (line.x0 > x1 || line.x1 < x0) return true
  if (step > Math.max(leading, line.size * 1.2) * 1.32) return true
  const continues = last.x1 > right - 1.5 * bodySize && !endsSentence(last.text)
  if (!sameStyle(line, last) && !(continues && Math.abs(line.size - last.size) < 0.3 && !line.bold && !last.bold)) return true
  if (captionLabel.test(line.text) && (line.style !== bodyStyle || step > leading * 1.15)) return true
  const indent = line.x0 - left
  if (indent > minIndentRatio * bodySize && indent < maxIndentRatio * bodySize && line.x0 - last.x0 > minIndentRatio * bodySize) return true
  // The hanging indent ends.
  if (before.length > 1 && last.x0 - first.x0 > minIndentRatio * bodySize && Math.abs(line.x0 - first.x0) < 0.3 * bodySize) return true
  if (isListEntry(first.text) && isListEntry(line.text) && line.x0 <= first.x0 + bodySize) return true
  if (/^[•▪◦●■]/.test(line.text)) return true
  if (sectionNumber.test(line.text) && line.runs[0]!.font !== bodyFont) return true
  return endsSentence(last.text) && fitsOnLine(line, last, right)
}

/** Whether the first word of a line fits at the end of the previous line, so the break was deliberate. */
function fitsOnLine (line: Line, last: Line, right: number): boolean {
  const word = line.text.split(' ', 1)[0]!
  const width = (line.x1 - line.x0) * (word.length + 2) / line.text.length
  return last.x1 + width < right
}

const endsSentence = (text: string) => /[.!?:)\]”"。！？：」』）؟।]( ?\d[\d,–-]*)?$/.test(text)

/** Matches a numbered subsection: "2.1. Animals". */
const sectionNumber = /^\d{1,2}(\.\d{1,2})+\.?\s+\p{Lu}/u

const isListEntry = (text: string) => /^(\[\d{1,3}\]|\d{1,3}[.)])\s/.test(text)

function sameStyle (line: Line, last: Line): boolean {
  return line.style === last.style || (line.size === last.size && line.styleShare < 0.97) ||
    (Math.abs(line.size - last.size) < 0.3 && (line.styleShare < 0.75 || last.styleShare < 0.75))
}

function buildBlock (lines: Line[], edges: Edges, { bodySize, bodyStyle }: TextMetrics): TextBlock {
  const [first, last] = [lines[0]!, lines.at(-1)!]
  const isCaption =
    captionLabel.test(first.text) && (first.style !== bodyStyle || /^(fig(ure)?|table|scheme)\.?\s*S?\d+\s*[.:|]/i.test(first.text))
  const indent = first.x0 - (lines.length > 1 ? Math.min(...lines.slice(1).map(({ x0 }) => x0)) : edges.left)
  return {
    kind: isCaption ? 'caption' : 'paragraph',
    lines,
    text: lines.map(({ text }) => text).join(' '),
    page: first.page,
    indented: indent > 0.6 * bodySize && indent < maxIndentRatio * bodySize,
    reachesRightEdge: last.x1 > edges.right - 1.5 * bodySize,
    style: first.style
  }
}
