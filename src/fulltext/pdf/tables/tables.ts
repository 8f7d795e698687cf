import type { TextMetrics } from '../extract/text-metrics.js'
import type { Block, TableBlock, TextBlock } from '../layout/block.js'
import type { Joiner } from '../layout/hyphenation.js'
import type { Line } from '../layout/lines.js'
import { isContinued } from './captions.js'
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
  #before: { page: RuledPage, region: TableRegion } | null = null

  constructor (metrics: TextMetrics, join: Joiner) {
    this.#metrics = metrics
    this.#join = join
  }

  /** Returns the tables of a page with their captions. Skips uncertain ones. Adds the lines of each table to `used`. */
  readTables (page: RuledPage, used: Set<Line>): PlacedTable[] {
    const regions = findTableRegions(page, this.#metrics)
    const continuation = this.#before === null ? null : findContinuation(this.#before.region, this.#before.page, page, this.#metrics)
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
      if (this.#before === null || this.#before.region.y1 < region.y1) this.#before = { page, region }
      return [placed(page, region, inside[0]!, rows)]
    })
  }
}

const isInside = ({ x0, x1, y }: Line, region: TableRegion) =>
  y > region.y0 && y < region.y1 + 1 && x0 > region.x0 - 6 && x1 < region.x1 + 8

function placed (page: RuledPage, { caption }: TableRegion, inside: Line, rows: string[][]): PlacedTable {
  const [first] = caption
  const isContinuation = first === undefined || isContinued(caption)
  return {
    lineIndex: page.lines.indexOf(first ?? inside),
    caption: isContinuation
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
    table: { kind: 'table', page: page.number, rows, isContinuation }
  }
}

/** Appends continuations to the table that they continue, without the repeated header. */
export function joinContinuedTables (blocks: Block[]): Block[] {
  const joined: Block[] = []
  let open: TableBlock | null = null
  for (const block of blocks) {
    if (block.kind !== 'table') joined.push(block)
    else if (block.isContinuation && open !== null) open.rows.push(...withoutHeader(open.rows, block.rows))
    else joined.push(open = block)
  }
  return joined
}

function withoutHeader (before: string[][], rows: string[][]): string[][] {
  const repeated = rows.findIndex((row, at) => row.join('|') !== before[at]?.join('|'))
  return repeated === -1 ? [] : rows.slice(repeated)
}
