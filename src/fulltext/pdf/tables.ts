import type { TableBlock, TextBlock } from './block.js'
import type { PageLines } from './furniture.js'
import { gridOf } from './grid.js'
import type { Joiner } from './hyphenation.js'
import type { Line } from './lines.js'
import type { Measures } from './measures.js'
import type { Rule } from './page.js'
import { tableRegionsOf } from './table-regions.js'

export interface PlacedTable { at: number, caption: TextBlock, table: TableBlock }

/** Fewer pieces of text are no table. */
const leastLines = 4

/** The tables of a page that are told with certainty, with their captions; adds the lines they are made of to `used`. */
export function tablesOf (page: PageLines & { rules: Rule[] }, measures: Measures, join: Joiner, used: Set<Line>): PlacedTable[] {
  return tableRegionsOf(page, measures).flatMap(({ caption, x0, x1, y0, y1 }) => {
    const inside = page.lines.filter(line => !used.has(line) && !caption.includes(line) && line.y > y0 && line.y < y1 + 1 && line.x0 > x0 - 4 && line.x1 < x1 + 6)
    if (inside.length < leastLines) return []
    const rules = page.rules.filter(rule => rule.y >= y0 && rule.y <= y1 && rule.x0 > x0 - 6 && rule.x1 < x1 + 6)
    const rows = gridOf(inside.flatMap(({ segments, y, size }) => segments.map(segment => ({ ...segment, y, size }))), { x0, x1, rules }, join)
    if (rows === null) return []
    for (const line of [...inside, ...caption]) used.add(line)
    const [first] = caption as [Line]
    return [{
      at: page.lines.indexOf(first),
      caption: { kind: 'caption', lines: caption, text: caption.map(({ text }) => text).join(' '), page: page.number, indented: false, full: false, style: first.style },
      table: { kind: 'table', page: page.number, rows }
    }]
  })
}
