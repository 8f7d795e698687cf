import type { Measures } from '../extract/measures.js'
import type { Block, TableBlock, TextBlock } from '../layout/block.js'
import type { Joiner } from '../layout/hyphenation.js'
import type { Line } from '../layout/lines.js'
import { isContinued } from './captions.js'
import { piecesOf } from './cells.js'
import { gridOf } from './grid.js'
import { continuedRegion, type RuledPage, tableRegionsOf, type TableRegion } from './regions.js'

/** A table with the index of the page's line that it replaces. */
export interface PlacedTable { at: number, caption: TextBlock | null, table: TableBlock }

/** Fewer pieces of text are no table. */
const leastPieces = 4

/** Reads the tables of a document's pages, which come one by one: a table may go on from the page before. */
export class TableReader {
  readonly #measures: Measures
  readonly #join: Joiner
  #before: { page: RuledPage, region: TableRegion } | null = null

  constructor (measures: Measures, join: Joiner) {
    this.#measures = measures
    this.#join = join
  }

  /** The tables of a page that are told with certainty, with their captions; adds the lines that they are made of to `used`. */
  tablesOf (page: RuledPage, used: Set<Line>): PlacedTable[] {
    const regions = tableRegionsOf(page, this.#measures)
    const continuation = this.#before === null ? null : continuedRegion(this.#before.region, this.#before.page, page, this.#measures)
    if (continuation !== null) regions.unshift(continuation)
    this.#before = null
    const captions = new Set(regions.flatMap(({ caption }) => caption))
    return regions.flatMap(region => {
      const inside = page.lines.filter(line => !used.has(line) && !captions.has(line) && isInside(line, region))
      const pieces = piecesOf(inside)
      if (pieces.length < leastPieces) return []
      const rules = page.rules.filter(({ x0, x1, y }) => y >= region.y0 && y <= region.y1 && x0 > region.x0 - 6 && x1 < region.x1 + 6)
      const rows = gridOf(pieces, { ...region, rules }, this.#join)
      if (rows === null) return []
      for (const line of [...inside, ...region.caption]) used.add(line)
      if (this.#before === null || this.#before.region.y1 < region.y1) this.#before = { page, region }
      return [placed(page, region, inside[0]!, rows)]
    })
  }
}

const isInside = ({ x0, x1, y }: Line, region: TableRegion) => y > region.y0 && y < region.y1 + 1 && x0 > region.x0 - 6 && x1 < region.x1 + 8

function placed (page: RuledPage, { caption }: TableRegion, inside: Line, rows: string[][]): PlacedTable {
  const [first] = caption
  const continues = first === undefined || isContinued(caption)
  return {
    at: page.lines.indexOf(first ?? inside),
    caption: continues ? null : { kind: 'caption', lines: caption, text: caption.map(({ text }) => text).join(' '), page: page.number, indented: false, full: false, style: first.style },
    table: { kind: 'table', page: page.number, rows, continues }
  }
}

/** Adds the rows of tables that go on with the table before to that one, without the header that they repeat. */
export function withContinuedTables (blocks: Block[]): Block[] {
  const whole: Block[] = []
  let open: TableBlock | null = null
  for (const block of blocks) {
    if (block.kind !== 'table') whole.push(block)
    else if (block.continues && open !== null) open.rows.push(...withoutHeader(open.rows, block.rows))
    else whole.push(open = block)
  }
  return whole
}

function withoutHeader (before: string[][], rows: string[][]): string[][] {
  const repeated = rows.findIndex((row, at) => row.join('|') !== before[at]?.join('|'))
  return repeated === -1 ? [] : rows.slice(repeated)
}
