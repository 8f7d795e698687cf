import type { Line } from '../layout/lines.js'

/** A piece of text in a table. */
export interface CellText { text: string, x0: number, x1: number, y: number, size: number }

/** What stands on one baseline of a table. */
export interface GridLine { y: number, size: number, cells: CellText[] }

/** Pieces on one baseline stand this near to each other, in heights of their font: indices are raised. */
const sameLine = 0.45

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
