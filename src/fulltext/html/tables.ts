import { type Block, type Cell, isBlank } from '../markdown/document.js'
import { childElements, descendants, type Element, spanOf } from '../dom/element.js'
import { hasClass, isCell } from './classes.js'
import type { Conversion } from './conversion.js'
import { inlineOf } from './inline.js'

const isRow = hasClass('ltx_tr')
const isColumnHeading = hasClass('ltx_th_column')

/**
 * A tabular. Its header rows come first: rows in the head, and rows of column headings. A tabular that lays out pictures is not a table.
 */
export function tableOf (tabular: Element, conversion: Conversion): Block[] {
  const inHead = new Set(descendants(tabular, hasClass('ltx_thead')).flatMap(head => descendants(head, isRow)))
  const rows = descendants(tabular, isRow)
    .map(row => {
      const cells = childElements(row).filter(isCell)
      return {
        heads: inHead.has(row) || (cells.length > 0 && cells.every(isColumnHeading)),
        cells: cells.map(cell => cellOf(cell, conversion))
      }
    })
    .filter(({ cells }) => cells.some(({ content }) => !isBlank(content)))
  if (rows.length === 0) return []
  const end = rows.findIndex(({ heads }) => !heads)
  const heads = end === -1 ? 1 : end
  return [{ kind: 'table', head: rows.slice(0, heads).map(({ cells }) => cells), body: rows.slice(heads).map(({ cells }) => cells) }]
}

const cellOf = (cell: Element, conversion: Conversion): Cell => ({
  content: inlineOf(cell, conversion),
  columns: spanOf(cell.attributes.colspan),
  rows: spanOf(cell.attributes.rowspan)
})
