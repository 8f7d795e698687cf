import { median } from '../extract/text-metrics.js'
import { type CellText, type Column, findColumn, type GridLine, minLineGapRatio } from './cells.js'

/** The text segments of a row by column. */
export type GridRow = CellText[][]

/** Minimum share of a cell's width below a spanning cell. */
const minSpanOverlapShare = 0.5

interface Span { x0: number, x1: number, y: number }

/**
 * Groups the cells of a table header into rows. Cells below a spanning cell form the next row;
 * all others belong to the first row, whatever their vertical position.
 */
export function groupHeaderRows (lines: GridLine[], rules: Span[], columns: Column[]): CellText[][] {
  const spans = rules.length > 0 ? rules : lines.slice(1).flatMap((line, at) => inferSpans(lines[at]!, line, columns))
  const rows: CellText[][] = []
  for (const cell of lines.flatMap(({ cells }) => cells)) {
    const above = spans.filter(
      span => span.y < cell.y - 1 && Math.min(span.x1, cell.x1) - Math.max(span.x0, cell.x0) > minSpanOverlapShare * (cell.x1 - cell.x0)
    )
    const level = new Set(above.map(({ y }) => Math.round(y))).size
    ;(rows[level] ??= []).push(cell)
  }
  return rows.filter(row => row !== undefined)
}

/** Infers spanning cells: where a line has fewer cells than the next, a cell spans those it is nearest to. Ignores the first column. */
function inferSpans (upper: GridLine, lower: GridLine, columns: Column[]): Span[] {
  const below = lower.cells.filter(cell => findColumn(columns, cell) > 0)
  if (upper.cells.length > below.length) return []
  const distance = (a: CellText, b: CellText) => Math.max(0, a.x0 - b.x1, b.x0 - a.x1)
  const nearest = below.map(cell => ({
    cell,
    over: upper.cells.reduce((best, each) => distance(each, cell) < distance(best, cell) ? each : best)
  }))
  return upper.cells.flatMap(over => {
    const own = nearest.filter(each => each.over === over).map(({ cell }) => cell)
    return own.length < 2 ? [] : [{ x0: Math.min(...own.map(({ x0 }) => x0)), x1: Math.max(...own.map(({ x1 }) => x1)), y: over.y }]
  })
}

/** A line of the table body. */
interface BodyLine { y: number, size: number, row: GridRow }

/** Line distance within a row relative to the distance between rows. */
const maxInnerStepRatio = 0.92
/** Shorter cells fill their column by chance, not because they wrap. */
const minWrappedCharacters = 10
/** Distance between lines of a cell, in font sizes. */
const maxLeadingRatio = 1.5
/** A line with this share of its columns filled is a full row. */
const minFilledShare = 0.6
/** Share of ruled rows from which every row is expected to have a rule. */
const minRuledShare = 0.5

/** Groups lines of a table body into rows by joining wrapped lines. `rules` are the y coordinates of full-width rules. */
export function groupBodyRows (lines: BodyLine[], rules: number[]): GridRow[] {
  if (lines.length === 0) return []
  const width = lines[0]!.row.length
  const isFull = ({ row }: BodyLine) => countOf(row) >= Math.max(2, minFilledShare * width)
  const isRuled = (before: BodyLine, line: BodyLine) => rules.some(y => y > before.y - 0.3 * before.size && y < line.y)
  const pairs = lines
    .slice(1)
    .map((line, at) => ({ before: lines[at]!, line, gap: line.y - lines[at]!.y, ruled: isRuled(lines[at]!, line) }))
  const open = pairs.filter(({ ruled }) => !ruled)
  const ruledRows = pairs.length - open.length
  const isRuledByRow = ruledRows >= 2 && ruledRows >= minRuledShare * lines.filter(isFull).length
  const step = rowStep(open.filter(({ before, line }) => isFull(before) && isFull(line)).map(({ gap }) => gap), open.map(({ gap }) => gap))
  const limits = columnLimits(lines, width)
  const rows: GridRow[] = [lines[0]!.row]
  for (const [at, { before, line, gap, ruled }] of pairs.entries()) {
    const row = rows.at(-1)!
    const isNearerBelow = pairs[at + 1]?.ruled === false && pairs[at + 1]!.gap < maxInnerStepRatio * gap
    const continues =
      !ruled &&
      !haveNumbers(row, line.row) &&
      (gap < minLineGapRatio * Math.min(line.size, before.size) ||
        (gap < maxLeadingRatio * line.size && allWrap(row, line.row, limits)) ||
        (!(isFull(before) && isFull(line)) &&
          (isRuledByRow ||
            gap < maxInnerStepRatio * step ||
            (!isNearerBelow && gap < maxLeadingRatio * line.size && wraps(row, line.row, limits)))))
    if (continues) rows[rows.length - 1] = row.map((cells, at) => [...cells, ...line.row[at]!])
    else rows.push(line.row)
  }
  return rows
}

/** Whether both lines have a number in one column. Numbers do not wrap. */
const haveNumbers = (row: GridRow, line: GridRow) =>
  row.some(
    (cells, at) =>
      cells.length > 0 && line[at]!.length > 0 && isNumber(cells.at(-1)!.text, /[±(,/–-]$/) && isNumber(line[at]![0]!.text, /^[±()]/)
  )

const isNumber = (text: string, unended: RegExp) => /^\W{0,2}\d/.test(text) && !/\p{L}{3}/u.test(text) && !unended.test(text)

const countOf = (row: GridRow) => row.filter(cells => cells.length > 0).length

/** Estimates the distance between rows. Without consecutive full lines, rows may have several lines and the wider gaps separate them. */
function rowStep (full: number[], all: number[]): number {
  if (full.length > 0) return [...full].sort((a, b) => a - b)[full.length >> 2]!
  const [minGap, medianGap] = [Math.min(...all), median(all) ?? 0]
  const wide = all.filter(gap => gap > minGap / maxInnerStepRatio)
  return wide.length === 0 ? 0 : Math.max(medianGap, Math.min(...wide))
}

/** Returns the right edge of the text in each column. */
const columnLimits = (lines: BodyLine[], width: number): number[] =>
  Array.from({ length: width }, (_, at) => Math.max(...lines.flatMap(({ row }) => row[at]!.map(({ x1 }) => x1))))

/** Whether a line has a single cell that wraps from the cell above: its first word did not fit there. */
function wraps (before: GridRow, line: GridRow, limits: number[]): boolean {
  if (countOf(line) !== 1) return false
  const at = line.findIndex(cells => cells.length > 0)
  const [above, cell] = [before[at]!.at(-1), line[at]![0]!]
  if (above === undefined) return false
  return at > 0 ? countOf(before) > 1 || didNotFit(above, cell, limits[at]!) : didNotFit(above, cell, limits[0]!)
}

/** Whether all cells of a line continue the cells above, as in text tables: most first words did not fit there. */
function allWrap (before: GridRow, line: GridRow, limits: number[]): boolean {
  const filled = line.flatMap((cells, at) => cells.length > 0 ? [{ above: before[at]!.at(-1), cell: cells[0]!, limit: limits[at]! }] : [])
  const wrapped = filled.filter(
    ({ above, cell, limit }) => above !== undefined && above.text.length >= minWrappedCharacters && didNotFit(above, cell, limit)
  )
  return (
    filled.length > 1 &&
    filled.every(({ above }) => above !== undefined) &&
    wrapped.length > 1 &&
    wrapped.length >= minFilledShare * filled.length
  )
}

function didNotFit (above: CellText, { text, x0, x1 }: CellText, limit: number): boolean {
  const word = (x1 - x0) * (text.split(' ', 1)[0]!.length + 1) / text.length
  return above.x1 + word > limit
}
