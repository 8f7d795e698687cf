import { maxRecordCharacters } from './lines.js'

/** A row of a table; `line` is the line of the file on which it begins, from 1. A row with a fault has no cells. */
export interface TableRow { cells: string[], line: number, fault?: string }

/** Overhead of a cell in the size limit, so that many empty cells count too. */
const cellSize = 64
/** Overhead of a piece of a cell, so that millions of doubled quotes count too. */
const pieceSize = 16

const [lineFeed, carriageReturn, space, quote] = [10, 13, 32, 34]

/**
 * Splits a table into rows, in linear time and with the memory of one row. Reads RFC 4180: a cell in quotes may contain separators, line
 * breaks and doubled quotes. As in spreadsheets, text after the closing quote belongs to the cell, and a quote within an unquoted cell is
 * text.
 */
export class TableSplitter {
  readonly #separator: number
  readonly #hasQuotes: boolean
  readonly #keepsEmpty: boolean
  #rows: TableRow[] = []
  #cells: string[] = []
  #cell = ''
  #size = 0
  /** Where the next character is: at the start of a cell, in an unquoted or quoted one, or behind a quote that may close it. */
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  /** Spaces behind a closing quote. */
  #gap = ''
  #line = 1
  #rowLine = 1
  #isAtStart = true
  #afterReturn = false

  /** @param options.hasQuotes whether quotes enclose cells @param options.keepsEmpty whether rows without text are returned */
  constructor (separator: string, { hasQuotes = true, keepsEmpty = false }: { hasQuotes?: boolean, keepsEmpty?: boolean } = {}) {
    this.#separator = separator.charCodeAt(0)
    this.#hasQuotes = hasQuotes
    this.#keepsEmpty = keepsEmpty
  }

  /** The line that is read, from 1. */
  get line (): number {
    return this.#line
  }

  /** Reads on. @returns the rows that are complete now */
  write (part: string): TableRow[] {
    let at = 0
    if (this.#isAtStart && part !== '') {
      this.#isAtStart = false
      if (part.startsWith('\uFEFF')) at = 1
    }
    while (at < part.length) at = this.#step(part, at)
    return this.#take()
  }

  /** Ends the last row. */
  end (): TableRow[] {
    const isOpen = this.#state === 'quoted'
    this.#endRow(isOpen ? 'a cell begins with a quote that is not closed; rows after it were not read' : undefined)
    return this.#take()
  }

  #take (): TableRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  /** Reads one character, or a run of text. @returns the place after it */
  #step (part: string, at: number): number {
    const code = part.charCodeAt(at)
    // The line feed of a CRLF pair counts once.
    const isPaired = code === lineFeed && this.#afterReturn
    this.#afterReturn = code === carriageReturn
    const isBreak = code === lineFeed || code === carriageReturn
    if (isBreak && !isPaired) this.#line++
    if (this.#state === 'quoted') {
      if (code === quote) {
        this.#state = 'closed'
        return at + 1
      }
      if (code === carriageReturn) return at + 1 + this.#keep('\n')
      if (code === lineFeed) return at + 1 + (isPaired ? 0 : this.#keep('\n'))
      return this.#keepRun(part, at, [quote, lineFeed, carriageReturn])
    }
    if (code === this.#separator) {
      this.#endCell()
      return at + 1
    }
    if (isBreak) {
      if (!isPaired) this.#endRow()
      this.#rowLine = this.#line
      return at + 1
    }
    if (this.#state === 'closed') {
      if (code === quote && this.#gap === '') {
        this.#state = 'quoted'
        return at + 1 + this.#keep('"')
      }
      if (code === space && this.#gap.length < maxRecordCharacters) {
        this.#gap += ' '
        return at + 1
      }
      // The quotes were part of the text: "Big data" in medicine.
      this.#cell = `"${this.#cell}"${this.#gap}`
      this.#gap = ''
      this.#state = 'plain'
    }
    if (this.#state === 'start' && this.#hasQuotes) {
      if (code === quote) {
        this.#cell = ''
        this.#state = 'quoted'
        return at + 1
      }
      if (code === space) return at + 1 + this.#keep(' ')
    }
    this.#state = 'plain'
    return this.#keepRun(part, at, [this.#separator, lineFeed, carriageReturn])
  }

  /** Keeps the text up to one of these characters. */
  #keepRun (part: string, from: number, ends: readonly [number, number, number]): number {
    const [first, second, third] = ends
    let at = from + 1
    for (; at < part.length; at++) {
      const code = part.charCodeAt(at)
      if (code === first || code === second || code === third) break
    }
    this.#keep(part.slice(from, at))
    return at
  }

  /** Keeps text of the cell unless the row is too long. @returns 0 */
  #keep (text: string): 0 {
    this.#size += text.length + pieceSize
    if (this.#size <= maxRecordCharacters) this.#cell += text
    return 0
  }

  #endCell (): void {
    this.#size += cellSize
    if (this.#size <= maxRecordCharacters) this.#cells.push(this.#cell)
    this.#cell = ''
    this.#gap = ''
    this.#state = 'start'
  }

  #endRow (fault?: string): void {
    this.#endCell()
    const cells = this.#cells
    const isLong = this.#size > maxRecordCharacters
    if (isLong || fault !== undefined) this.#rows.push({ cells: [], line: this.#rowLine, fault: fault ?? 'the row is longer than 8 MB' })
    else if (this.#keepsEmpty || cells.some(cell => cell.trim() !== '')) this.#rows.push({ cells, line: this.#rowLine })
    this.#cells = []
    this.#size = 0
  }
}
