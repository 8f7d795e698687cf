import type { TextMetrics } from '../extract/text-metrics.js'
import type { Rule } from '../extract/page.js'
import { captionLabel } from '../layout/block.js'
import type { PageLines } from '../layout/headers-footers.js'
import type { Line } from '../layout/lines.js'
import { findTableCaptions } from './captions.js'
import { findColumns, groupByBaseline, cellTextsOf } from './cells.js'

/** A bounding box on a page, in points. */
export interface Box { x0: number, x1: number, y0: number, y1: number }

/** The bounding box of a table with its caption. A continuation has no caption. */
export interface TableRegion extends Box { caption: Line[] }

/** A page with its lines and rules. */
export type RuledPage = PageLines & { rules: Rule[] }

const minRuleWidthPt = 60
/** Body text has lines with more letters, and at least this many lines. */
const [minTextLetters, minProseLines] = [25, 4]
/** Horizontal tolerance between the ends of rules of one table. */
const edgeTolerancePt = 6
/** Distance between a caption and the nearest rule of a table below or above it, in lines. */
const [maxLinesBelowCaption, maxLinesAboveCaption] = [6, 3.2]
/** A table may continue on the next page if it ends below this share of the page height. */
const minEndShare = 0.78
/** The continuation of a table starts above this share of the page height. */
const maxStartShare = 0.2

/** Finds tables by caption: with rules of equal extent below or above it, otherwise with rows of cells below it. */
export function findTableRegions (page: RuledPage, metrics: TextMetrics): TableRegion[] {
  const captions = findTableCaptions(page, metrics)
  return captions.flatMap(caption => {
    const [first, last] = [caption[0]!, caption.at(-1)!]
    const x1 = Math.max(...caption.map(({ x1 }) => x1))
    const others = captions.filter(other => other !== caption).map(([line]) => line!)
    const rules = page.rules.filter(rule => rule.x1 - rule.x0 > minRuleWidthPt && rule.x0 < x1 + 5 && rule.x1 > first.x0 - 5)
    const under = requireCellRow(findBoxBelow(last, others, rules, page, metrics), page)
    const over = requireCellRow(findBoxAbove(first, others, rules, page.height, metrics), page)
    const box = under !== null && (over === null || under.y0 - last.y <= first.y - over.y1)
      ? extendOverUnruledRows(under, page, metrics)
      : over ?? extendOverUnruledRows({ ...unruledExtent(last, page, metrics), y0: last.y + 1, y1: last.y + 1 }, page, metrics)
    return box === null ? [] : [{ ...box, caption }]
  })
}

/** Finds the continuation of a table at the top of the next page, without caption. */
export function findContinuation (before: TableRegion, previous: RuledPage, page: RuledPage, metrics: TextMetrics): TableRegion | null {
  if (before.y1 < minEndShare * previous.height || page.width !== previous.width) return null
  const rules = page.rules.filter(rule => Math.abs(rule.x1 - rule.x0 - before.x1 + before.x0) < edgeTolerancePt)
  const top = Math.min(...page.lines.map(({ y, size }) => y - size), ...rules.map(({ y }) => y))
  if (!(top < maxStartShare * page.height)) return null
  const captions = findTableCaptions(page, metrics).map(([line]) => line!.y)
  const own = takeRulesAboveProse(rules.filter(({ y }) => y < Math.min(...captions)).sort((a, b) => a.y - b.y), page, metrics)
  const [x0, x1] = own.length > 0 && own[0]!.y < maxStartShare * page.height ? [own[0]!.x0, own[0]!.x1] : [before.x0, before.x1]
  const y0 = top - 1
  const box = extendOverUnruledRows(
    { x0, x1, y0, y1: own.length > 1 && own[0]!.y < maxStartShare * page.height ? own.at(-1)!.y : y0 },
    page,
    metrics
  )
  return box === null ? null : { ...box, caption: [] }
}

/** Returns the box if it contains a row of cells, otherwise null. Rules may also frame a figure. */
function requireCellRow (box: Box | null, { lines }: RuledPage): Box | null {
  if (box === null) return null
  const inside = lines.filter(
    ({ x0, x1, y }) => y > box.y0 && y < box.y1 + 1 && x0 > box.x0 - edgeTolerancePt && x1 < box.x1 + edgeTolerancePt
  )
  return groupByBaseline(cellTextsOf(inside)).some(({ cells }) => cells.length > 1) ? box : null
}

function findBoxBelow (caption: Line, others: Line[], rules: Rule[], page: RuledPage, metrics: TextMetrics): Box | null {
  const under = rules.filter(({ y }) => y > caption.y - 2).sort((a, b) => a.y - b.y)
  for (const anchor of under) {
    if (anchor.y - caption.y > maxLinesBelowCaption * metrics.leading) break
    const next = Math.min(
      Infinity,
      ...others.filter(other => other.y > caption.y + 5 && other.x0 < anchor.x1 && other.x1 > anchor.x0).map(({ y }) => y)
    )
    const own = takeRulesAboveProse(
      under.filter(rule => hasSameExtent(rule, anchor) && rule.y < next - 2),
      page,
      metrics
    )
    if (own.length > 1) return { x0: anchor.x0, x1: anchor.x1, y0: anchor.y, y1: own.at(-1)!.y }
  }
  return null
}

function findBoxAbove (caption: Line, others: Line[], rules: Rule[], height: number, { leading }: TextMetrics): Box | null {
  const over = rules.filter(({ y }) => y < caption.y - 2 && y > caption.y - 0.8 * height).sort((a, b) => b.y - a.y)
  const last = over[0]
  if (last === undefined || caption.y - last.y > maxLinesAboveCaption * leading) return null
  const before = Math.max(
    0,
    ...others.filter(other => other.y < caption.y - 5 && other.x0 < last.x1 && other.x1 > last.x0).map(({ y }) => y)
  )
  const own = over.filter(rule => hasSameExtent(rule, last) && rule.y > before + 1)
  return own.length < 2 ? null : { x0: last.x0, x1: last.x1, y0: own.at(-1)!.y, y1: last.y }
}

/** Returns the rules above the first paragraph of body text, from top to bottom. Rules below it do not belong to the table. */
function takeRulesAboveProse (rules: Rule[], { lines }: RuledPage, { columnWidth }: TextMetrics): Rule[] {
  const end = rules.findIndex((rule, at) => {
    const before = rules[at - 1]
    if (before === undefined) return false
    const between = lines.filter(
      ({ x0, x1, y }) => y > before.y && y < rule.y && x0 > rule.x0 - edgeTolerancePt && x1 < rule.x1 + edgeTolerancePt
    )
    const prose = between.filter(({ x0, x1, letters }) => letters > minTextLetters && x1 - x0 > 0.85 * columnWidth)
    return prose.length >= minProseLines && prose.length > between.length / 2
  })
  return end === -1 ? rules : rules.slice(0, end)
}

const hasSameExtent = (rule: Rule, other: Rule) =>
  Math.abs(rule.x0 - other.x0) < edgeTolerancePt && Math.abs(rule.x1 - other.x1) < edgeTolerancePt

/** Returns the extent of a table without rules: the column of its caption, or all columns if rows cross the middle of the page. */
function unruledExtent (caption: Line, { lines, width }: RuledPage, { bodyStyle, columnWidth }: TextMetrics): { x0: number, x1: number } {
  const [x0, x1] = [Math.min(...lines.map(({ x0 }) => x0)), Math.max(...lines.map(({ x1 }) => x1))]
  const middle = width / 2
  const near = lines.filter(({ y, style }) => y > caption.y + 2 && y < caption.y + 3 * caption.size && style !== bodyStyle)
  const isWide = columnWidth > 0.6 * (x1 - x0) || near.some(line => line.x0 < middle) === near.some(line => line.x1 > middle)
  return isWide ? { x0, x1 } : caption.x0 < middle ? { x0, x1: middle } : { x0: middle, x1 }
}

/** A longer cell is body text. */
const maxCellCharacters = 60
/** Distance between rows, in lines. */
const maxRowStepLines = 2.6
/** Consecutive rows with a single cell: wrapped cells, or titles of row groups. */
const maxSingleCellRows = 2
/** A table without rules has at least this many rows. */
const minUnruledRows = 3

/**
 * Extends a box to the rows of cells below its last rule, for tables without a closing rule or without rules. @returns null without a table
 */
function extendOverUnruledRows (box: Box, page: RuledPage, { leading, bodyStyle }: TextMetrics): Box | null {
  const inside = page.lines.filter(line => line.x0 > box.x0 - 6 && line.x1 < box.x1 + 8)
  const isText = ({ style, letters, segments, text }: Line) =>
    (style === bodyStyle && letters > minTextLetters && segments.length < 3) || captionLabel.test(text)
  const under = inside.filter(line => line.y > box.y1 + 1)
  const texts = under.filter(isText).map(({ y }) => y)
  const end = Math.min(
    Infinity,
    ...texts,
    ...page.lines.filter(line => line.y > box.y1 + 1 && line.x0 < box.x1 && line.x1 > box.x0 && !inside.includes(line)).map(({ y }) => y)
  )
  const rows = groupByBaseline(cellTextsOf(under.filter(({ y }) => y < end - 2)))
  const width = box.x1 - box.x0
  let [last, cells, single] = [-1, 0, 0]
  for (const [at, row] of rows.entries()) {
    const before = at === 0 ? box.y1 : rows[at - 1]!.y
    if (row.y - before > maxRowStepLines * leading) break
    const isRow = row.cells.length > 1 && row.cells.every(({ text, x0, x1 }) => text.length < maxCellCharacters && x1 - x0 < 0.6 * width)
    if (isRow) [last, cells, single] = [at, cells + 1, 0]
    else if (++single > maxSingleCellRows) break
  }
  const isRuled = box.y1 > box.y0
  if (cells < (isRuled ? 2 : minUnruledRows) || findColumns(rows.slice(0, last + 1), width).length < 2) return isRuled ? box : null
  return { ...box, y1: Math.max(...rows[last]!.cells.map(({ y }) => y)) + 1 }
}
