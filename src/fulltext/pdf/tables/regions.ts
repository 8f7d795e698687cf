import type { Measures } from '../extract/measures.js'
import type { Rule } from '../extract/page.js'
import { captionStart } from '../layout/block.js'
import type { PageLines } from '../layout/furniture.js'
import type { Line } from '../layout/lines.js'
import { tableCaptionsOf } from './captions.js'
import { columnsOf, gridLinesOf, piecesOf } from './cells.js'

/** Where a table stands on its page. */
export interface Box { x0: number, x1: number, y0: number, y1: number }

/** The place of a table and the lines of its caption; a continuation has none. */
export interface TableRegion extends Box { caption: Line[] }

/** A page with its lines and rules. */
export type RuledPage = PageLines & { rules: Rule[] }

const leastWidth = 60
/** Running text: lines of a column's width with so many letters, so many of them. */
const [leastText, leastProse] = [25, 4]
/** Rules of one table end this near to each other, in points. */
const sameEnd = 6
/** From a caption to its table's first rule, and from the last rule to a caption under the table, in lines of text. */
const [furthestBelow, furthestAbove] = [6, 3.2]
/** A table goes on over the page's end, if it comes down to this part of its height. */
const nearBottom = 0.78
/** The first rows of a table's continuation stand above this part of a page's height. */
const nearTop = 0.2

/** The tables of a page: a caption with rules of one width below it or above it, or else with rows of cells below it. */
export function tableRegionsOf (page: RuledPage, measures: Measures): TableRegion[] {
  const captions = tableCaptionsOf(page, measures)
  return captions.flatMap(caption => {
    const [first, last] = [caption[0]!, caption.at(-1)!]
    const x1 = Math.max(...caption.map(({ x1 }) => x1))
    const others = captions.filter(other => other !== caption).map(([line]) => line!)
    const rules = page.rules.filter(rule => rule.x1 - rule.x0 > leastWidth && rule.x0 < x1 + 5 && rule.x1 > first.x0 - 5)
    const under = withRows(below(last, others, rules, page, measures), page)
    const over = withRows(above(first, others, rules, page.height, measures), page)
    const box = under !== null && (over === null || under.y0 - last.y <= first.y - over.y1)
      ? rowsDownFrom(under, page, measures)
      : over ?? rowsDownFrom({ ...columnUnder(last, page, measures), y0: last.y + 1, y1: last.y + 1 }, page, measures)
    return box === null ? [] : [{ ...box, caption }]
  })
}

/** The part of a page's table at the top of the next page, without a caption of its own. */
export function continuedRegion (before: TableRegion, previous: RuledPage, page: RuledPage, measures: Measures): TableRegion | null {
  if (before.y1 < nearBottom * previous.height || page.width !== previous.width) return null
  const rules = page.rules.filter(rule => Math.abs(rule.x1 - rule.x0 - before.x1 + before.x0) < sameEnd)
  const top = Math.min(...page.lines.map(({ y, size }) => y - size), ...rules.map(({ y }) => y))
  if (!(top < nearTop * page.height)) return null
  const captions = tableCaptionsOf(page, measures).map(([line]) => line!.y)
  const own = upToProse(rules.filter(({ y }) => y < Math.min(...captions)).sort((a, b) => a.y - b.y), page, measures)
  const [x0, x1] = own.length > 0 && own[0]!.y < nearTop * page.height ? [own[0]!.x0, own[0]!.x1] : [before.x0, before.x1]
  const y0 = top - 1
  const box = rowsDownFrom({ x0, x1, y0, y1: own.length > 1 && own[0]!.y < nearTop * page.height ? own.at(-1)!.y : y0 }, page, measures)
  return box === null ? null : { ...box, caption: [] }
}

/** A box with rows of cells in it; a figure may stand between rules, too. */
function withRows (box: Box | null, { lines }: RuledPage): Box | null {
  if (box === null) return null
  const inside = lines.filter(({ x0, x1, y }) => y > box.y0 && y < box.y1 + 1 && x0 > box.x0 - sameEnd && x1 < box.x1 + sameEnd)
  return gridLinesOf(piecesOf(inside)).some(({ cells }) => cells.length > 1) ? box : null
}

function below (caption: Line, others: Line[], rules: Rule[], page: RuledPage, measures: Measures): Box | null {
  const under = rules.filter(({ y }) => y > caption.y - 2).sort((a, b) => a.y - b.y)
  for (const anchor of under) {
    if (anchor.y - caption.y > furthestBelow * measures.leading) break
    const next = Math.min(Infinity, ...others.filter(other => other.y > caption.y + 5 && other.x0 < anchor.x1 && other.x1 > anchor.x0).map(({ y }) => y))
    const own = upToProse(under.filter(rule => isLike(rule, anchor) && rule.y < next - 2), page, measures)
    if (own.length > 1) return { x0: anchor.x0, x1: anchor.x1, y0: anchor.y, y1: own.at(-1)!.y }
  }
  return null
}

function above (caption: Line, others: Line[], rules: Rule[], height: number, { leading }: Measures): Box | null {
  const over = rules.filter(({ y }) => y < caption.y - 2 && y > caption.y - 0.8 * height).sort((a, b) => b.y - a.y)
  const last = over[0]
  if (last === undefined || caption.y - last.y > furthestAbove * leading) return null
  const before = Math.max(0, ...others.filter(other => other.y < caption.y - 5 && other.x0 < last.x1 && other.x1 > last.x0).map(({ y }) => y))
  const own = over.filter(rule => isLike(rule, last) && rule.y > before + 1)
  return own.length < 2 ? null : { x0: last.x0, x1: last.x1, y0: own.at(-1)!.y, y1: last.y }
}

/** A table's rules, from above, without those that running text stands in front of: they belong to something else. */
function upToProse (rules: Rule[], { lines }: RuledPage, { columnWidth }: Measures): Rule[] {
  const end = rules.findIndex((rule, at) => {
    const before = rules[at - 1]
    if (before === undefined) return false
    const between = lines.filter(({ x0, x1, y }) => y > before.y && y < rule.y && x0 > rule.x0 - sameEnd && x1 < rule.x1 + sameEnd)
    const prose = between.filter(({ x0, x1, letters }) => letters > leastText && x1 - x0 > 0.85 * columnWidth)
    return prose.length >= leastProse && prose.length > between.length / 2
  })
  return end === -1 ? rules : rules.slice(0, end)
}

const isLike = (rule: Rule, other: Rule) => Math.abs(rule.x0 - other.x0) < sameEnd && Math.abs(rule.x1 - other.x1) < sameEnd

/** How wide a table without rules may be: its caption's column, or all columns where its rows reach over the page's middle. */
function columnUnder (caption: Line, { lines, width }: RuledPage, { bodyStyle, columnWidth }: Measures): { x0: number, x1: number } {
  const [x0, x1] = [Math.min(...lines.map(({ x0 }) => x0)), Math.max(...lines.map(({ x1 }) => x1))]
  const middle = width / 2
  const near = lines.filter(({ y, style }) => y > caption.y + 2 && y < caption.y + 3 * caption.size && style !== bodyStyle)
  const isWide = columnWidth > 0.6 * (x1 - x0) || near.some(line => line.x0 < middle) === near.some(line => line.x1 > middle)
  return isWide ? { x0, x1 } : caption.x0 < middle ? { x0, x1: middle } : { x0: middle, x1 }
}

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
