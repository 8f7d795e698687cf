import type { PageLines } from './headers-footers.js'
import type { Line } from './lines.js'
import type { TextMetrics } from '../extract/text-metrics.js'

/** Maximum share of misplaced lines in the content stream, whose order is usually the reading order. */
const maxMisplacedShare = 0.12

/** Returns lines in reading order: the order of the content stream if plausible, otherwise by column between full-width lines. */
export function toReadingOrder (page: PageLines, { columnWidth, bodySize, leading }: TextMetrics): Line[] {
  const { lines, width } = page
  let wrong = 0
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1]
    if (before === undefined) continue
    const oneColumn = Math.min(before.x1, line.x1) > Math.max(before.x0, line.x0)
    if (
      oneColumn
        ? line.y < before.y - 2 * leading && line.letters > 20
        : Math.abs(before.y - line.y) < 0.3 * bodySize && before.letters > 25 && line.letters > 25
    ) { wrong++ }
  }
  if (lines.length <= 10 || wrong / lines.length <= maxMisplacedShare) return lines
  const sorted = [...lines].sort((a, b) => a.y - b.y || a.x0 - b.x0)
  if (columnWidth > width / 2) return sorted
  const middle = width / 2
  const ordered: Line[] = []
  let columns: Line[] = []
  const end = () => {
    const isLeft = ({ x0, x1 }: Line) => (x0 + x1) / 2 < middle
    ordered.push(...columns.filter(isLeft), ...columns.filter(line => !isLeft(line)))
    columns = []
  }
  for (const line of sorted) {
    if (line.x0 < middle - 20 && line.x1 > middle + 20) {
      end()
      ordered.push(line)
    } else columns.push(line)
  }
  end()
  return ordered
}
