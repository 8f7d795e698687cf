import type { Line } from '../layout/lines.js'

/** A text segment of a table. Coordinates are in points. */
export interface CellText { text: string, x0: number, x1: number, y: number, size: number }

/** The text segments on one baseline of a table. */
export interface GridLine { y: number, size: number, cells: CellText[] }

/** Vertical tolerance of a baseline, in font sizes. Superscripts are raised. */
const baselineTolerance = 0.45

/** Returns the text segments of lines. */
export const cellTextsOf = (lines: Line[]): CellText[] =>
  lines.flatMap(({ segments, y, size }) => segments.map(segment => ({ ...segment, y, size })))

/** Groups text segments by baseline, from top to bottom. */
export function groupByBaseline (cellTexts: CellText[]): GridLine[] {
  const lines: GridLine[] = []
  for (const cellText of [...cellTexts].sort((a, b) => a.y - b.y)) {
    const line = lines.at(-1)
    if (line !== undefined && cellText.y - line.y < baselineTolerance * Math.max(cellText.size, 6)) {
      line.cells.push(cellText)
      line.size = Math.max(line.size, cellText.size)
    } else lines.push({ y: cellText.y, size: cellText.size, cells: [cellText] })
  }
  return lines
}

/** Lines of one column cannot be closer than this, in font sizes. */
export const minLineGapRatio = 0.85

/** Left and right edge of a column. */
export type Column = [number, number]

/** Maximum share of lines with text in the gutter between two columns. Applies from a minimum number of lines. */
const [maxBridgedShare, minLinesForBridges] = [0.14, 5]
/** Minimum width of a gutter. */
const minGutterPt = 1.5
/** Wider cells may span columns, as a share of the table width. */
const maxCellWidthShare = 0.45

/** Finds columns: horizontal intervals that cells fill. Returns none for fewer than `minLines` lines with several cells. */
export function findColumns (lines: GridLine[], width: number, minLines = 2): Column[] {
  const several = mergeOverlappingLines(lines).filter(({ cells }) => cells.length > 1)
  if (several.length < minLines) return []
  const cells = several.flatMap(({ cells }) => cells)
  const maxBridges = several.length < minLinesForBridges ? 0 : Math.floor(several.length * maxBridgedShare)
  const [all, narrow] = [
    findFilledIntervals(cells, maxBridges),
    findFilledIntervals(
      cells.filter(({ x0, x1 }) => x1 - x0 < maxCellWidthShare * width),
      maxBridges
    )
  ]
  return narrow.length > all.length ? narrow : all
}

/** Merges lines too close for one column: they form a row with vertically centered cells. */
function mergeOverlappingLines (lines: GridLine[]): Array<{ cells: CellText[] }> {
  const rows: Array<{ cells: CellText[] }> = []
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1]
    if (before !== undefined && line.y - before.y < minLineGapRatio * Math.min(line.size, before.size)) {
      rows.at(-1)!.cells.push(...line.cells)
    } else rows.push({ cells: [...line.cells] })
  }
  return rows
}

function findFilledIntervals (cells: CellText[], maxBridges: number): Column[] {
  const ends = cells.flatMap(({ x0, x1 }) => [{ x: x0, step: 1 }, { x: x1, step: -1 }]).sort((a, b) => a.x - b.x || a.step - b.step)
  const columns: Column[] = []
  let depth = 0
  let start: number | null = null
  for (const { x, step } of ends) {
    depth += step
    if (start === null && depth > maxBridges) start = x
    else if (start !== null && depth <= maxBridges) {
      const before = columns.at(-1)
      if (before !== undefined && start - before[1] < minGutterPt) before[1] = x
      else columns.push([start, x])
      start = null
    }
  }
  return columns
}

/** Returns the index of the column with the largest overlap, otherwise of the nearest one. */
export function findColumn (columns: Column[], { x0, x1 }: CellText): number {
  let [best, distance] = [0, Infinity]
  for (const [at, [from, to]] of columns.entries()) {
    const overlap = Math.min(x1, to) - Math.max(x0, from)
    const here = overlap > 0 ? -overlap : Math.min(Math.abs(x0 - to), Math.abs(from - x1))
    if (here < distance) [best, distance] = [at, here]
  }
  return best
}
