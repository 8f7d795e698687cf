import type { Rule } from '../extract/page.js'
import type { Joiner } from '../layout/hyphenation.js'
import { type CellText, findColumn, findColumns, type GridLine, groupByBaseline } from './cells.js'
import { groupBodyRows, type GridRow, groupHeaderRows } from './rows.js'

/** The left and right edges of a table, in points, with its rules. */
export interface Frame { x0: number, x1: number, rules: Rule[] }

/** A full-width rule separates rows: both its ends are this close to the edges. Shorter rules are below spanning cells. */
const edgeTolerancePt = 8

/** Arranges the text segments of a table into rows and columns. @returns null without at least two columns */
export function buildGrid (cellTexts: CellText[], { x0, x1, rules }: Frame, join: Joiner): string[][] | null {
  const lines = groupByBaseline(cellTexts)
  const isWhole = (rule: Rule) => rule.x0 < x0 + edgeTolerancePt && rule.x1 > x1 - edgeTolerancePt
  const across = rules.filter(isWhole).map(({ y }) => y).sort((a, b) => a - b)
  const headerEnd = across.find(y => lines[0]!.y < y && y < lines.at(-1)!.y) ?? -Infinity
  const header = lines.filter(({ y }) => y < headerEnd)
  const body = lines.filter(({ y }) => y >= headerEnd)
  const ofBody = findColumns(body, x1 - x0, header.length > 0 ? 1 : 2)
  const columns = ofBody.length > 1 ? ofBody : findColumns(lines, x1 - x0)
  if (columns.length < 2) return null
  const placed = (line: GridLine): GridRow => columns.map((_column, at) => line.cells.filter(cell => findColumn(columns, cell) === at))
  const rows = [
    ...groupHeaderRows(
      header,
      rules.filter(rule => !isWhole(rule) && rule.y < headerEnd),
      columns
    ).map(cells => placed({ y: 0, size: 0, cells })),
    ...groupBodyRows(
      body.map(line => ({ y: line.y, size: line.size, row: placed(line) })),
      across
    )
  ]
  return rows.map(row => row.map(cells => textOf(cells, join)))
}

const textOf = (cells: CellText[], join: Joiner): string =>
  groupByBaseline(cells)
    .map(({ cells }) =>
      cells
        .sort((a, b) => a.x0 - b.x0)
        .map(({ text }) => text)
        .join(' ')
    )
    .reduce((text, next) => text === '' ? next : join(text, next), '')
    .replaceAll('\u00AD', '')
