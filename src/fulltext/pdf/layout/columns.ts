import type { PageLines } from './headers-footers.js'
import type { Line } from './lines.js'
import type { TextMetrics } from '../extract/text-metrics.js'

/** The left and right edges of a column. */
export interface Edges { left: number, right: number }

/** Detects columns from long body lines with a common left edge. @returns a lookup of the column of a line */
export function createColumnLookup ({ lines }: PageLines, { bodySize, columnWidth }: TextMetrics): (line: Line) => Edges {
  const long = lines.filter(line => line.x1 - line.x0 > 0.6 * columnWidth && Math.abs(line.size - bodySize) < 0.35 * bodySize)
  const columns: Array<Edges & { lines: Line[] }> = []
  for (const line of [...long].sort((a, b) => a.x0 - b.x0)) {
    const column = columns.find(
      ({ lines: [first] }) => line.x0 - first!.x0 < 3.5 * bodySize && Math.abs(line.x1 - first!.x1) < 0.45 * columnWidth
    )
    if (column === undefined) columns.push({ left: line.x0, right: line.x1, lines: [line] })
    else column.lines.push(line)
  }
  for (const column of columns) {
    column.left = smallestClustered(column.lines.map(({ x0 }) => x0))
    column.right = -smallestClustered(column.lines.map(({ x1 }) => -x1))
  }
  return line => {
    let best: Edges | undefined
    let overlap = 0
    for (const column of columns) {
      const shared = Math.min(line.x1, column.right) - Math.max(line.x0, column.left)
      const excess = Math.max(0, line.x1 - column.right) + Math.max(0, column.left - line.x0)
      if (shared - excess > overlap) [best, overlap] = [column, shared - excess]
    }
    return best ?? { left: line.x0, right: line.x1 }
  }
}

/** Returns the smallest value that has a close neighbor, to ignore outliers; otherwise the smallest value. */
function smallestClustered (values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.find((value, at) => sorted[at + 1] !== undefined && sorted[at + 1]! - value < 1.5) ?? sorted[0]!
}
