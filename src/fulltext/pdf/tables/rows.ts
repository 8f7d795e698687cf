import { median } from '../extract/measures.js'
import { type CellText, type Column, columnOf, type GridLine, overlapping } from './cells.js'

/** The pieces of text in each of the table's columns. */
export type GridRow = CellText[][]

/** Part of a cell that stands under what spans it. */
const mostlyUnder = 0.5

interface Span { x0: number, x1: number, y: number }

/**
 * The rows of a table's header. What stands under a spanning cell is a row below it; all else, of however many lines and wherever it is set between the
 * header's rules, belongs to the first row.
 */
export function headerRowsOf (lines: GridLine[], rules: Span[], columns: Column[]): CellText[][] {
  const spans = rules.length > 0 ? rules : lines.slice(1).flatMap((line, at) => spansOf(lines[at]!, line, columns))
  const rows: CellText[][] = []
  for (const cell of lines.flatMap(({ cells }) => cells)) {
    const above = spans.filter(span => span.y < cell.y - 1 && Math.min(span.x1, cell.x1) - Math.max(span.x0, cell.x0) > mostlyUnder * (cell.x1 - cell.x0))
    const level = new Set(above.map(({ y }) => Math.round(y))).size;
    (rows[level] ??= []).push(cell)
  }
  return rows.filter(row => row !== undefined)
}

/** Where a line has fewer cells than the one below, each cell that is the nearest to several below spans them; the first column stands for itself. */
function spansOf (upper: GridLine, lower: GridLine, columns: Column[]): Span[] {
  const below = lower.cells.filter(cell => columnOf(columns, cell) > 0)
  if (upper.cells.length > below.length) return []
  const distance = (a: CellText, b: CellText) => Math.max(0, a.x0 - b.x1, b.x0 - a.x1)
  const nearest = below.map(cell => ({ cell, over: upper.cells.reduce((best, each) => distance(each, cell) < distance(best, cell) ? each : best) }))
  return upper.cells.flatMap(over => {
    const own = nearest.filter(each => each.over === over).map(({ cell }) => cell)
    return own.length < 2 ? [] : [{ x0: Math.min(...own.map(({ x0 }) => x0)), x1: Math.max(...own.map(({ x1 }) => x1)), y: over.y }]
  })
}

/** A line of a table's body with its cells. */
interface BodyLine { y: number, size: number, row: GridRow }

/** A row's own lines are nearer to each other than rows are, by this factor. */
const nearer = 0.92
/** Characters of a cell that is wrapped; shorter ones fill their columns by chance. */
const longText = 10
/** From line to line within a cell at most, in heights of their font. */
const widestLeading = 1.5
/** Lines with this part of the columns filled are rows of their own. */
const mostlyFilled = 0.6
/** Part of the rows that have a rule of their own in a table that is ruled row by row. */
const mostlyRuled = 0.5

/** The rows of a table's body: lines that go on with the cells of the row before are joined with it. `rules` are the places of rules across it. */
export function bodyRowsOf (lines: BodyLine[], rules: number[]): GridRow[] {
  if (lines.length === 0) return []
  const width = lines[0]!.row.length
  const isFull = ({ row }: BodyLine) => countOf(row) >= Math.max(2, mostlyFilled * width)
  const isRuled = (before: BodyLine, line: BodyLine) => rules.some(y => y > before.y - 0.3 * before.size && y < line.y)
  const pairs = lines.slice(1).map((line, at) => ({ before: lines[at]!, line, gap: line.y - lines[at]!.y, ruled: isRuled(lines[at]!, line) }))
  const open = pairs.filter(({ ruled }) => !ruled)
  const ruledRows = pairs.length - open.length
  const isRuledByRow = ruledRows >= 2 && ruledRows >= mostlyRuled * lines.filter(isFull).length
  const step = rowStep(open.filter(({ before, line }) => isFull(before) && isFull(line)).map(({ gap }) => gap), open.map(({ gap }) => gap))
  const limits = columnLimits(lines, width)
  const rows: GridRow[] = [lines[0]!.row]
  for (const [at, { before, line, gap, ruled }] of pairs.entries()) {
    const row = rows.at(-1)!
    const isNearerBelow = pairs[at + 1]?.ruled === false && pairs[at + 1]!.gap < nearer * gap
    const goesOn = !ruled && !haveNumbers(row, line.row) && (gap < overlapping * Math.min(line.size, before.size) ||
      (gap < widestLeading * line.size && allWrap(row, line.row, limits)) || (!(isFull(before) && isFull(line)) && (isRuledByRow || gap < nearer * step || (!isNearerBelow && gap < widestLeading * line.size && wraps(row, line.row, limits)))))
    if (goesOn) rows[rows.length - 1] = row.map((cells, at) => [...cells, ...line.row[at]!])
    else rows.push(line.row)
  }
  return rows
}

/** Whether both have a number in one column: numbers do not go on in the next line. */
const haveNumbers = (row: GridRow, line: GridRow) => row.some((cells, at) => cells.length > 0 && line[at]!.length > 0 && isNumber(cells.at(-1)!.text, /[±(,/–-]$/) && isNumber(line[at]![0]!.text, /^[±()]/))

const isNumber = (text: string, unended: RegExp) => /^\W{0,2}\d/.test(text) && !/\p{L}{3}/u.test(text) && !unended.test(text)

const countOf = (row: GridRow) => row.filter(cells => cells.length > 0).length

/** From row to row. Where no two full lines follow each other, every row may have several lines, and the wider gaps are those between rows. */
function rowStep (full: number[], all: number[]): number {
  if (full.length > 0) return [...full].sort((a, b) => a - b)[full.length >> 2]!
  const [least, typical] = [Math.min(...all), median(all) ?? 0]
  const wide = all.filter(gap => gap > least / nearer)
  return wide.length === 0 ? 0 : Math.max(typical, Math.min(...wide))
}

/** How far right each column's text reaches. */
const columnLimits = (lines: BodyLine[], width: number): number[] => Array.from({ length: width }, (_, at) => Math.max(...lines.flatMap(({ row }) => row[at]!.map(({ x1 }) => x1))))

/** Whether a line has one cell only, which goes on with the cell above: its first word had no room there. */
function wraps (before: GridRow, line: GridRow, limits: number[]): boolean {
  if (countOf(line) !== 1) return false
  const at = line.findIndex(cells => cells.length > 0)
  const [above, cell] = [before[at]!.at(-1), line[at]![0]!]
  if (above === undefined) return false
  return at > 0 ? countOf(before) > 1 || hadNoRoom(above, cell, limits[at]!) : hadNoRoom(above, cell, limits[0]!)
}

/** Whether a line's cells go on with those above, as they do in tables of text: most had no room there, and none stands for itself. */
function allWrap (before: GridRow, line: GridRow, limits: number[]): boolean {
  const filled = line.flatMap((cells, at) => cells.length > 0 ? [{ above: before[at]!.at(-1), cell: cells[0]!, limit: limits[at]! }] : [])
  const wrapped = filled.filter(({ above, cell, limit }) => above !== undefined && above.text.length >= longText && hadNoRoom(above, cell, limit))
  return filled.length > 1 && filled.every(({ above }) => above !== undefined) && wrapped.length > 1 && wrapped.length >= mostlyFilled * filled.length
}

function hadNoRoom (above: CellText, { text, x0, x1 }: CellText, limit: number): boolean {
  const word = (x1 - x0) * (text.split(' ', 1)[0]!.length + 1) / text.length
  return above.x1 + word > limit
}
