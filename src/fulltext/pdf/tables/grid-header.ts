import { type Column, columnOf } from './grid-columns.js'
import type { CellText, GridLine } from './grid-lines.js'

/** Part of a cell that stands under what spans it. */
const mostlyUnder = 0.5

interface Span { x0: number, x1: number, y: number }

/**
 * The rows of a table's header. What stands under a spanning cell is a row below it; all else, of however many lines and wherever it is set between the
 * header's rules, belongs to the first row.
 */
export function headerRowsOf (lines: GridLine[], rules: Span[], columns: Column[]): CellText[][] {
  const spans = rules.length > 0 ? rules : lines.slice(1).flatMap((line, at) => spansOf(lines[at]!, line, columns))
  const rows: CellText[][] = []
  for (const cell of lines.flatMap(({ cells }) => cells)) {
    const above = spans.filter(span => span.y < cell.y - 1 && Math.min(span.x1, cell.x1) - Math.max(span.x0, cell.x0) > mostlyUnder * (cell.x1 - cell.x0))
    const level = new Set(above.map(({ y }) => Math.round(y))).size;
    (rows[level] ??= []).push(cell)
  }
  return rows.filter(row => row !== undefined)
}

/** Where a line has fewer cells than the one below, each cell that is the nearest to several below spans them; the first column stands for itself. */
function spansOf (upper: GridLine, lower: GridLine, columns: Column[]): Span[] {
  const below = lower.cells.filter(cell => columnOf(columns, cell) > 0)
  if (upper.cells.length > below.length) return []
  const distance = (a: CellText, b: CellText) => Math.max(0, a.x0 - b.x1, b.x0 - a.x1)
  const nearest = below.map(cell => ({ cell, over: upper.cells.reduce((best, each) => distance(each, cell) < distance(best, cell) ? each : best) }))
  return upper.cells.flatMap(over => {
    const own = nearest.filter(each => each.over === over).map(({ cell }) => cell)
    return own.length < 2 ? [] : [{ x0: Math.min(...own.map(({ x0 }) => x0)), x1: Math.max(...own.map(({ x1 }) => x1)), y: over.y }]
  })
}
