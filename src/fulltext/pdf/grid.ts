import { median } from './measures.js'

/** A piece of text in a table. */
export interface CellText { text: string, x0: number, x1: number, y: number, size: number }

interface Row { y: number, cells: CellText[] }

/** Rows of cells from pieces of text in a table `width` points wide: rows by baseline, columns by the gaps that run down; null if there are none. */
export function gridOf (pieces: CellText[], width: number): string[][] | null {
  const rows = rowsOf(pieces)
  const columns = columnGaps(rows, width)
  if (columns.length < 2) return null
  const filled = rows.map(({ y, cells }) => {
    const texts = columns.map(() => '')
    for (const cell of [...cells].sort((a, b) => a.x0 - b.x0)) {
      const column = nearest(columns, cell)
      texts[column] = texts[column] === '' ? cell.text : `${texts[column]} ${cell.text}`
    }
    return { y, texts }
  })
  return withWrappedRows(filled, columns.length)
}

function rowsOf (pieces: CellText[]): Row[] {
  const rows: Row[] = []
  for (const piece of [...pieces].sort((a, b) => a.y - b.y)) {
    const row = rows.at(-1)
    if (row !== undefined && Math.abs(piece.y - row.y) < 0.45 * Math.max(piece.size, 6)) row.cells.push(piece)
    else rows.push({ y: piece.y, cells: [piece] })
  }
  return rows
}

/** The intervals across that cells of many rows fill. */
function columnGaps (rows: Row[], width: number): Array<[number, number]> {
  const several = rows.filter(({ cells }) => cells.length >= 2)
  if (several.length < 2) return []
  const ends = several.flatMap(({ cells }) => cells).filter(({ x0, x1 }) => x1 - x0 < 0.45 * width).flatMap(({ x0, x1 }) => [{ x: x0, step: 1 }, { x: x1, step: -1 }])
  ends.sort((a, b) => a.x - b.x || a.step - b.step)
  const most = several.length < 5 ? 0 : Math.floor(several.length * 0.14)
  const columns: Array<[number, number]> = []
  let depth = 0
  let start: number | null = null
  for (const { x, step } of ends) {
    depth += step
    if (start === null && depth > most) start = x
    else if (start !== null && depth <= most) {
      const before = columns.at(-1)
      if (before !== undefined && start - before[1] < 1.5) before[1] = x
      else columns.push([start, x])
      start = null
    }
  }
  return columns
}

function nearest (columns: Array<[number, number]>, { x0, x1 }: CellText): number {
  let [best, distance] = [0, Infinity]
  for (const [at, [from, to]] of columns.entries()) {
    const overlap = Math.min(x1, to) - Math.max(x0, from)
    const here = overlap > 0 ? -overlap : Math.min(Math.abs(x0 - to), Math.abs(from - x1))
    if (here < distance) [best, distance] = [at, here]
  }
  return best
}

/** Rows whose cells are few and close below another row go on with that row's cells. */
function withWrappedRows (rows: Array<{ y: number, texts: string[] }>, columns: number): string[][] {
  const step = median(rows.slice(1).map(({ y }, at) => y - rows[at]!.y)) ?? 0
  const whole: Array<{ y: number, texts: string[] }> = []
  for (const { y, texts } of rows) {
    const before = whole.at(-1)
    if (before !== undefined && y - before.y < 0.93 * step && texts.filter(text => text !== '').length < columns * 0.6) {
      before.texts = before.texts.map((text, at) => texts[at] === '' ? text : text === '' ? texts[at]! : `${text} ${texts[at]}`)
      before.y = y
    } else whole.push({ y, texts })
  }
  return whole.map(({ texts }) => texts)
}
