import type { TextMetrics } from '../extract/text-metrics.js'
import type { TableBlock, TextBlock } from '../layout/block.js'
import type { Joiner } from '../layout/hyphenation.js'
import type { Line } from '../layout/lines.js'
import { isContinued, labelOf } from './captions.js'
import { cellTextsOf } from './cells.js'
import { buildGrid } from './grid.js'
import { findContinuation, type RuledPage, findTableRegions, type TableRegion } from './regions.js'

/** A table with the index of the first line that it replaces. */
export interface PlacedTable { lineIndex: number, caption: TextBlock | null, table: TableBlock }

/** A region with fewer text segments is not a table. */
const minCellTexts = 4

/** Reads tables page by page, in order, because a table may continue from the previous page. */
export class TableReader {
  readonly #metrics: TextMetrics
  readonly #join: Joiner
  /** The table that may continue on the next page. */
  #before: { page: RuledPage, region: TableRegion, label: string } | null = null
  /** The tables by label, with the last page of each. */
  readonly #tables = new Map<string, { rows: string[][], page: number }>()

  constructor (metrics: TextMetrics, join: Joiner) {
    this.#metrics = metrics
    this.#join = join
  }

  /**
   * Returns the tables of a page with their captions. Appends the continuation of an earlier one to it, without the repeated header. Skips
   * uncertain tables. Adds the lines of each table to `used`.
   */
  readTables (page: RuledPage, used: Set<Line>): PlacedTable[] {
    const regions = findTableRegions(page, this.#metrics)
    const before = this.#before
    const continuation = before === null ? null : findContinuation(before.region, before.page, page, this.#metrics)
    if (continuation !== null) regions.unshift(continuation)
    this.#before = null
    const captions = new Set(regions.flatMap(({ caption }) => caption))
    return regions.flatMap(region => {
      const inside = page.lines.filter(line => !used.has(line) && !captions.has(line) && isInside(line, region))
      const cellTexts = cellTextsOf(inside)
      if (cellTexts.length < minCellTexts) return []
      const rules = page.rules.filter(({ x0, x1, y }) => y >= region.y0 && y <= region.y1 && x0 > region.x0 - 6 && x1 < region.x1 + 6)
      const rows = buildGrid(cellTexts, { ...region, rules }, this.#join)
      if (rows === null) return []
      for (const line of [...inside, ...region.caption]) used.add(line)
      const label = region === continuation ? before!.label : labelOf(region.caption)
      if (this.#before === null || this.#before.region.y1 < region.y1) this.#before = { page, region, label }
      const earlier = this.#tables.get(label)
      if (earlier !== undefined && (region === continuation || isContinued(region.caption)) && page.number <= earlier.page + 1) {
        for (const row of withoutHeader(earlier.rows, rows)) earlier.rows.push(row)
        earlier.page = page.number
        return []
      }
      this.#tables.set(label, { rows, page: page.number })
      return [placed(page, region, inside[0]!, rows)]
    })
  }
}

const isInside = ({ x0, x1, y }: Line, region: TableRegion) =>
  y > region.y0 && y < region.y1 + 1 && x0 > region.x0 - 6 && x1 < region.x1 + 8

function placed (page: RuledPage, { caption }: TableRegion, inside: Line, rows: string[][]): PlacedTable {
  const [first] = caption
  return {
    lineIndex: page.lines.indexOf(first ?? inside),
    caption: first === undefined
      ? null
      : {
          kind: 'caption',
          lines: caption,
          text: caption.map(({ text }) => text).join(' '),
          page: page.number,
          indented: false,
          reachesRightEdge: false,
          style: first.style
        },
    table: { kind: 'table', page: page.number, rows }
  }
}

function withoutHeader (before: string[][], rows: string[][]): string[][] {
  const repeated = rows.findIndex((row, at) => row.join('|') !== before[at]?.join('|'))
  return repeated === -1 ? [] : rows.slice(repeated)
}
