import { captionStart, type TextBlock } from './block.js'
import { columnsOf, type Edges } from './columns.js'
import type { PageLines } from './furniture.js'
import type { Line } from './lines.js'
import type { Measures } from '../extract/measures.js'

/** A paragraph with the place of its first line among the page's. */
export interface PlacedBlock { at: number, block: TextBlock }

/** An indent, in heights of the running text's font. */
const [leastIndent, mostIndent] = [0.7, 5]

/** Groups a page's lines, `used` ones aside, into paragraphs and captions in their order. */
export function paragraphsOf (page: PageLines, measures: Measures, used: ReadonlySet<Line>): PlacedBlock[] {
  const columnOf = columnsOf(page, measures)
  const placed: PlacedBlock[] = []
  let open: { at: number, lines: Line[], edges: Edges } | null = null
  const end = () => {
    if (open !== null) placed.push({ at: open.at, block: blockOf(open.lines, open.edges, measures) })
    open = null
  }
  for (const [at, line] of page.lines.entries()) {
    if (used.has(line)) {
      end()
      continue
    }
    const edges = columnOf(line)
    if (open !== null && startsAnew(line, (open as { lines: Line[] }).lines, edges, measures)) end()
    if (open === null) open = { at, lines: [line], edges }
    else (open as { lines: Line[] }).lines.push(line)
  }
  end()
  return placed
}

/** Whether a line begins another paragraph than the one of the lines before it. */
function startsAnew (line: Line, before: Line[], { left, right }: Edges, measures: Measures): boolean {
  const { bodyFont, bodySize, bodyStyle, leading } = measures
  const last = before.at(-1)!
  const first = before[0]!
  const step = line.y - last.y
  const onBaseline = Math.abs(step) < 0.3 * line.size
  // A line that a wide gap breaks: its parts follow each other.
  if (onBaseline && line.x0 > last.x1 - 1 && line.x0 - last.x1 < 3 * bodySize && line.style === last.style) return false
  if (step < -1 || onBaseline) return true
  const x0 = Math.min(...before.map(({ x0 }) => x0))
  const x1 = Math.max(...before.map(({ x1 }) => x1))
  if (line.x0 > x1 || line.x1 < x0) return true
  if (step > Math.max(leading, line.size * 1.2) * 1.32) return true
  const goesOn = last.x1 > right - 1.5 * bodySize && !endsSentence(last.text)
  if (!sameStyle(line, last) && !(goesOn && Math.abs(line.size - last.size) < 0.3 && !line.bold && !last.bold)) return true
  if (captionStart.test(line.text) && (line.style !== bodyStyle || step > leading * 1.15)) return true
  const indent = line.x0 - left
  if (indent > leastIndent * bodySize && indent < mostIndent * bodySize && line.x0 - last.x0 > leastIndent * bodySize) return true
  // A hanging indent's end.
  if (before.length > 1 && last.x0 - first.x0 > leastIndent * bodySize && Math.abs(line.x0 - first.x0) < 0.3 * bodySize) return true
  if (isEntry(first.text) && isEntry(line.text) && line.x0 <= first.x0 + bodySize) return true
  if (/^[•▪◦●■]/.test(line.text)) return true
  if (sectionNumber.test(line.text) && line.runs[0]!.font !== bodyFont) return true
  return endsSentence(last.text) && wouldHaveFitted(line, last, right)
}

/** Whether a line's first word would have had room at the end of the line before: then the line was ended on purpose. */
function wouldHaveFitted (line: Line, last: Line, right: number): boolean {
  const word = line.text.split(' ', 1)[0]!
  const width = (line.x1 - line.x0) * (word.length + 2) / line.text.length
  return last.x1 + width < right
}

const endsSentence = (text: string) => /[.!?:)\]”"]( ?\d[\d,–-]*)?$/.test(text)

/** The number of a section below another: "2.1. Animals". */
const sectionNumber = /^\d{1,2}(\.\d{1,2})+\.?\s+\p{Lu}/u

const isEntry = (text: string) => /^(\[\d{1,3}\]|\d{1,3}[.)])\s/.test(text)

function sameStyle (line: Line, last: Line): boolean {
  return line.style === last.style || (line.size === last.size && line.purity < 0.97) ||
    (Math.abs(line.size - last.size) < 0.3 && (line.purity < 0.75 || last.purity < 0.75))
}

function blockOf (lines: Line[], edges: Edges, { bodySize, bodyStyle }: Measures): TextBlock {
  const [first, last] = [lines[0]!, lines.at(-1)!]
  const isCaption = captionStart.test(first.text) && (first.style !== bodyStyle || /^(fig(ure)?|table|scheme)\.?\s*S?\d+\s*[.:|]/i.test(first.text))
  const indent = first.x0 - (lines.length > 1 ? Math.min(...lines.slice(1).map(({ x0 }) => x0)) : edges.left)
  return {
    kind: isCaption ? 'caption' : 'paragraph',
    lines,
    text: lines.map(({ text }) => text).join(' '),
    page: first.page,
    indented: indent > 0.6 * bodySize && indent < mostIndent * bodySize,
    full: last.x1 > edges.right - 1.5 * bodySize,
    style: first.style
  }
}
