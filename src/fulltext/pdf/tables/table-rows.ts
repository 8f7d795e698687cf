import { captionStart } from '../layout/block.js'
import { columnsOf } from './grid-columns.js'
import { gridLinesOf, piecesOf } from './grid-lines.js'
import type { Line } from '../layout/lines.js'
import type { Measures } from '../extract/measures.js'
import type { Box, RuledPage } from './table-regions.js'

/** Letters of a line of running text; cells have fewer. */
const leastText = 25
/** Characters of a cell; more are text. */
const longestCell = 60
/** From row to row at most, in lines of text. */
const widestStep = 2.6
/** Rows in a row without a second cell: of wrapped cells, or with a title over the rows below. */
const mostSingle = 2
/** Fewer rows of cells are no table, without rules around them. */
const leastRows = 3

/** A table's box with the rows of cells that follow below its last rule, as of one without a closing rule or with none at all; null if there is no table. */
export function rowsDownFrom (box: Box, page: RuledPage, { leading, bodyStyle }: Measures): Box | null {
  const inside = page.lines.filter(line => line.x0 > box.x0 - 6 && line.x1 < box.x1 + 8)
  const isText = ({ style, letters, segments, text }: Line) => (style === bodyStyle && letters > leastText && segments.length < 3) || captionStart.test(text)
  const under = inside.filter(line => line.y > box.y1 + 1)
  const texts = under.filter(isText).map(({ y }) => y)
  const end = Math.min(Infinity, ...texts, ...page.lines.filter(line => line.y > box.y1 + 1 && line.x0 < box.x1 && line.x1 > box.x0 && !inside.includes(line)).map(({ y }) => y))
  const rows = gridLinesOf(piecesOf(under.filter(({ y }) => y < end - 2)))
  const width = box.x1 - box.x0
  let [last, cells, single] = [-1, 0, 0]
  for (const [at, row] of rows.entries()) {
    const before = at === 0 ? box.y1 : rows[at - 1]!.y
    if (row.y - before > widestStep * leading) break
    const isRow = row.cells.length > 1 && row.cells.every(({ text, x0, x1 }) => text.length < longestCell && x1 - x0 < 0.6 * width)
    if (isRow) [last, cells, single] = [at, cells + 1, 0]
    else if (++single > mostSingle) break
  }
  const isRuled = box.y1 > box.y0
  if (cells < (isRuled ? 2 : leastRows) || columnsOf(rows.slice(0, last + 1), width).length < 2) return isRuled ? box : null
  return { ...box, y1: Math.max(...rows[last]!.cells.map(({ y }) => y)) + 1 }
}
