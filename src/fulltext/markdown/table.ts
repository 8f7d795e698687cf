import type { Cell, Inline, Table } from './document.js'
import { writeInline } from './inline.js'
import { nameBars } from './latex.js'

/** A position in the grid: a cell's text, and whether the cell starts here or spans from the left or from above. */
interface Place { text: string, begins: 'here' | 'left' | 'above' }

const maxColumns = 1000
const maxCells = 300_000

/**
 * Writes a pipe table. Markdown allows one header row, so several are joined by column ("Treated – Mean"); without one, the first row is
 * the header. A cell that spans columns is written in the first of them, a cell that spans rows in each of them.
 *
 * @returns undefined if the grid would be too large
 */
export function writeTable ({ head, body }: Table): string | undefined {
  const rows = [...head, ...body]
  const grid = placesOf(rows)
  if (grid === undefined) return undefined
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 0)
  // A span can cover columns that are empty in every row.
  const kept = Array.from({ length: columns }, (_, column) => column).filter(column => grid.some(row => row[column]?.begins === 'here'))
  if (kept.length === 0) return ''
  const headings = Math.max(head.length, 1)
  const heading = kept.map(column => joinHeadings(grid.slice(0, headings).map(row => row[column])))
  const lines = grid
    .slice(headings)
    .map(row => kept.map(column => row[column]).map(place => place === undefined || place.begins === 'left' ? '' : place.text))
  return [heading, kept.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

/** Escaping bars would change formulas: "\\|x\\|" is a norm. */
function withNamedBars (inline: Inline): Inline {
  if (typeof inline === 'string') return inline
  if (inline.kind === 'math') return { ...inline, latex: nameBars(inline.latex) }
  return 'content' in inline ? { ...inline, content: inline.content.map(withNamedBars) } : inline
}

function joinHeadings (places: Array<Place | undefined>): string {
  const texts = places.filter(place => place !== undefined && place.begins !== 'above' && place.text !== '').map(place => place!.text)
  return texts.filter((text, at) => text !== texts[at - 1]).join(' – ')
}

function placesOf (rows: Cell[][]): Place[][] | undefined {
  const grid: Place[][] = []
  let taken = 0
  /** By column: the cell that spans from above, and its remaining rows. */
  let reaching: Array<{ place: Place, rows: number } | undefined> = []
  for (const cells of rows) {
    const row: Place[] = []
    const below: typeof reaching = []
    const fall = () => {
      for (let from = reaching[row.length]; from !== undefined; from = reaching[row.length]) {
        if (from.rows > 1) below[row.length] = { place: from.place, rows: from.rows - 1 }
        row.push(from.place)
      }
    }
    for (const { content, columns = 1, rows: tall = 1 } of cells) {
      fall()
      const text = writeInline(content.map(withNamedBars)).replaceAll('|', '\\|').replaceAll('\n', '<br>')
      for (let column = 0; column < Math.min(columns, maxColumns); column++) {
        if (column > 0 && reaching[row.length] !== undefined) break
        if (row.length >= maxColumns) break
        if (tall > 1) {
          below[row.length] = { place: { text: column === 0 ? text : '', begins: column === 0 ? 'above' : 'left' }, rows: tall - 1 }
        }
        row.push({ text, begins: column === 0 ? 'here' : 'left' })
      }
    }
    fall()
    taken += row.length + reaching.length
    if (taken > maxCells) return undefined
    // Columns after the end of the row that cells from above span.
    reaching.forEach((from, column) => {
      if (from === undefined || column < row.length) return
      if (from.rows > 1) below[column] = { place: from.place, rows: from.rows - 1 }
      row[column] = from.place
    })
    reaching = below
    grid.push(row)
  }
  return grid
}
