import type { Line } from './lines.js'

/** A part of the document that stands for itself. */
export type Block = TextBlock | TableBlock

/** A heading, paragraph, caption or reference with its lines. */
export interface TextBlock {
  kind: 'paragraph' | 'heading' | 'caption' | 'reference'
  /** At least one. */
  lines: Line[]
  /** Joined from the lines. */
  text: string
  page: number
  /** Its first line is set in, as a new paragraph's. */
  indented: boolean
  /** Its last line reaches the column's right edge, as one whose text goes on. */
  full: boolean
  /** Of the first line. */
  style: string
  /** Of a heading, from 1. */
  level?: number
  /** A heading in front of its paragraph, on the same line. */
  runIn?: boolean
}

/** A table with its rows of cells. */
export interface TableBlock {
  kind: 'table'
  page: number
  rows: string[][]
  /** It goes on with the table before, from another page. */
  continues: boolean
}

/** The first words of a figure's or a table's caption. */
export const captionStart = /^(table|tab\.|fig(ure)?s?\.?|scheme|chart|box|plate|algorithm)\s*(S?\d+|[IVX]+)\b/i

/** The text of a heading without its number. */
export const withoutNumber = (text: string): string => text.replace(/^\W*(\d{1,2}(\.\d{1,2}){0,4}|[IVX]{1,5}|[A-H])[.):]?\s+(?=\S)/, '').trim()

/** A heading's number with the text's first letter: "2.1. Materials", "IV. Results". */
export const numbered = /^((\d{1,2}(\.\d{1,2}){0,4}[.)]?)|([IVX]{1,5}\.)|([A-H]\.))\s+\p{Lu}/u

/** Whether a heading opens the list of references. */
export const isReferencesTitle = (text: string): boolean => /^(references?|bibliography|literature|literature cited|references and notes|notes and references|works cited|cited references)[.:]?$/i.test(text.replace(/^[\W\d]+|\W+$/g, '').trim())
