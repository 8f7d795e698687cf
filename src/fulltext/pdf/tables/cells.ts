import type { Line } from '../layout/lines.js'

/** A piece of text in a table. */
export interface CellText { text: string, x0: number, x1: number, y: number, size: number }

/** What stands on one baseline of a table. */
export interface GridLine { y: number, size: number, cells: CellText[] }

/** Pieces on one baseline stand this near to each other, in heights of their font: indices are raised. */
const sameLine = 0.45

/** The pieces of text that lines are made of. */
export const piecesOf = (lines: Line[]): CellText[] => lines.flatMap(({ segments, y, size }) => segments.map(segment => ({ ...segment, y, size })))

/** Pieces of text by their baselines, from above. */
export function gridLinesOf (pieces: CellText[]): GridLine[] {
  const lines: GridLine[] = []
  for (const piece of [...pieces].sort((a, b) => a.y - b.y)) {
    const line = lines.at(-1)
    if (line !== undefined && piece.y - line.y < sameLine * Math.max(piece.size, 6)) {
      line.cells.push(piece)
      line.size = Math.max(line.size, piece.size)
    } else lines.push({ y: piece.y, size: piece.size, cells: [piece] })
  }
  return lines
}

/** Lines nearer than this, in heights of their font, would overlap if they stood in one column. */
export const overlapping = 0.85

/** From where to where a column's cells reach. */
export type Column = [number, number]

/** Part of a table's lines that may have text in the gap between two columns, if there are at least so many lines. */
const [mostBridged, enoughLines] = [0.14, 5]
/** Narrower gaps are none, in points. */
const narrowestGap = 1.5
/** Wider cells may span columns, as part of the table's width. */
const widestCell = 0.45

/** The intervals across that the cells of many lines fill, of `least` lines at the fewest. */
export function columnsOf (lines: GridLine[], width: number, least = 2): Column[] {
  const several = rowsOf(lines).filter(({ cells }) => cells.length > 1)
  if (several.length < least) return []
  const cells = several.flatMap(({ cells }) => cells)
  const most = several.length < enoughLines ? 0 : Math.floor(several.length * mostBridged)
  const [all, narrow] = [filled(cells, most), filled(cells.filter(({ x0, x1 }) => x1 - x0 < widestCell * width), most)]
  return narrow.length > all.length ? narrow : all
}

/** Lines that stand nearer than two lines of one column can belong to one row, whose cells are centred. */
function rowsOf (lines: GridLine[]): Array<{ cells: CellText[] }> {
  const rows: Array<{ cells: CellText[] }> = []
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1]
    if (before !== undefined && line.y - before.y < overlapping * Math.min(line.size, before.size)) rows.at(-1)!.cells.push(...line.cells)
    else rows.push({ cells: [...line.cells] })
  }
  return rows
}

function filled (cells: CellText[], most: number): Column[] {
  const ends = cells.flatMap(({ x0, x1 }) => [{ x: x0, step: 1 }, { x: x1, step: -1 }]).sort((a, b) => a.x - b.x || a.step - b.step)
  const columns: Column[] = []
  let depth = 0
  let start: number | null = null
  for (const { x, step } of ends) {
    depth += step
    if (start === null && depth > most) start = x
    else if (start !== null && depth <= most) {
      const before = columns.at(-1)
      if (before !== undefined && start - before[1] < narrowestGap) before[1] = x
      else columns.push([start, x])
      start = null
    }
  }
  return columns
}

/** The column that a cell shares most with, or else the nearest one. */
export function columnOf (columns: Column[], { x0, x1 }: CellText): number {
  let [best, distance] = [0, Infinity]
  for (const [at, [from, to]] of columns.entries()) {
    const overlap = Math.min(x1, to) - Math.max(x0, from)
    const here = overlap > 0 ? -overlap : Math.min(Math.abs(x0 - to), Math.abs(from - x1))
    if (here < distance) [best, distance] = [at, here]
  }
  return best
}
