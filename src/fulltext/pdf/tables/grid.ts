import type { Rule } from '../extract/page.js'
import type { Joiner } from '../layout/hyphenation.js'
import { type CellText, columnOf, columnsOf, type GridLine, gridLinesOf } from './cells.js'
import { bodyRowsOf, type GridRow, headerRowsOf } from './rows.js'

/** The sides of a table, in points, and the rules within them. */
export interface Frame { x0: number, x1: number, rules: Rule[] }

/** A rule that ends this near to both of a table's sides, in points, parts it into rows; shorter ones stand under spanning cells. */
const nearSide = 8

/** Rows of cells from the pieces of text in a table, with the rules between them; null if they have no columns. */
export function gridOf (pieces: CellText[], { x0, x1, rules }: Frame, join: Joiner): string[][] | null {
  const lines = gridLinesOf(pieces)
  const isWhole = (rule: Rule) => rule.x0 < x0 + nearSide && rule.x1 > x1 - nearSide
  const across = rules.filter(isWhole).map(({ y }) => y).sort((a, b) => a - b)
  const headerEnd = across.find(y => lines[0]!.y < y && y < lines.at(-1)!.y) ?? -Infinity
  const header = lines.filter(({ y }) => y < headerEnd)
  const body = lines.filter(({ y }) => y >= headerEnd)
  const ofBody = columnsOf(body, x1 - x0, header.length > 0 ? 1 : 2)
  const columns = ofBody.length > 1 ? ofBody : columnsOf(lines, x1 - x0)
  if (columns.length < 2) return null
  const placed = (line: GridLine): GridRow => columns.map((_column, at) => line.cells.filter(cell => columnOf(columns, cell) === at))
  const rows = [
    ...headerRowsOf(header, rules.filter(rule => !isWhole(rule) && rule.y < headerEnd), columns).map(cells => placed({ y: 0, size: 0, cells })),
    ...bodyRowsOf(body.map(line => ({ y: line.y, size: line.size, row: placed(line) })), across)
  ]
  return rows.map(row => row.map(cells => textOf(cells, join)))
}

const textOf = (cells: CellText[], join: Joiner): string =>
  gridLinesOf(cells).map(({ cells }) => cells.sort((a, b) => a.x0 - b.x0).map(({ text }) => text).join(' ')).reduce((text, next) => text === '' ? next : join(text, next), '').replaceAll('\u00AD', '')
