import { columnNameOf } from './csv-columns.js'
import type { TableRow } from './csv-rows.js'
import { maxRecordCharacters } from './lines.js'

/** Fields whose values are a list. */
const lists: ReadonlySet<string> = new Set(['author names', 'author keywords', 'publication type'])
/** Fields of which the first value counts; further ones are addresses. */
const singles: ReadonlySet<string> = new Set(['medline pmid', 'doi'])
/** Overhead of a field in the size limit. */
const fieldSize = 64

/**
 * Joins rows of Embase, each of which is a field of a record: its name, then its values. A record begins with its title and ends with an
 * empty row. @returns the names and values of a record as columns and cells
 */
export class FieldRows {
  #fields = new Map<string, string>()
  #size = 0
  #line = 1
  #fault: string | undefined

  /** Adds a row. @returns the record before it, if the row ends one */
  add ({ cells, line, fault }: TableRow): { columns: string[], row: TableRow } | undefined {
    const [name = '', ...values] = [columnNameOf(cells[0] ?? ''), ...cells.slice(1).map(cell => cell.trim()).filter(cell => cell !== '')]
    const isEmpty = fault === undefined && name === '' && values.length === 0
    const ended = isEmpty || name === 'title' ? this.end() : undefined
    if (isEmpty) return ended
    if (this.#fields.size === 0 && this.#fault === undefined) this.#line = line
    this.#size += fieldSize + name.length + values.reduce((sum, value) => sum + value.length, 0)
    this.#fault ??= fault ?? (this.#size > maxRecordCharacters ? 'the record is longer than 8 MB' : undefined)
    // Names that occur twice are those of a book or a conference.
    if (this.#fault === undefined && values.length > 0 && !this.#fields.has(name)) {
      this.#fields.set(name, singles.has(name) ? values[0]! : values.join(lists.has(name) ? '; ' : ' '))
    }
    return ended
  }

  /** Ends the last record. */
  end (): { columns: string[], row: TableRow } | undefined {
    const [fields, fault] = [this.#fields, this.#fault]
    this.#fields = new Map()
    this.#size = 0
    this.#fault = undefined
    if (fields.size === 0 && fault === undefined) return undefined
    const row = { cells: [...fields.values()], line: this.#line }
    return { columns: [...fields.keys()], row: fault === undefined ? row : { ...row, fault } }
  }
}
