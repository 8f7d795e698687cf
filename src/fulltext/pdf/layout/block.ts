import type { Line } from './lines.js'

/** A block of the document. */
export type Block = TextBlock | TableBlock

/** A text block with its lines. */
export interface TextBlock {
  kind: 'paragraph' | 'heading' | 'caption' | 'reference'
  /** At least one. */
  lines: Line[]
  /** The joined text of the lines. */
  text: string
  page: number
  /** The first line is indented, which marks a new paragraph. */
  indented: boolean
  /** The last line reaches the right edge of the column, so the paragraph may continue. */
  reachesRightEdge: boolean
  /** Style of the first line. */
  style: string
  /** Heading level, from 1. */
  level?: number
  /** A run-in heading: it shares a line with its paragraph. */
  runIn?: boolean
}

/** A table as rows of cells. */
export interface TableBlock {
  kind: 'table'
  page: number
  rows: string[][]
}

/** Matches the label of a figure or table caption. */
export const captionLabel = /^(table|tab\.|fig(ure)?s?\.?|scheme|chart|box|plate|algorithm)\s*(S?\d+|[IVX]+)\b/i

/** Removes the number of a heading. */
export const withoutNumber = (text: string): string =>
  text.replace(/^\W*(\d{1,2}(\.\d{1,2}){0,4}|[IVX]{1,5}|[A-H])[.):]?\s+(?=\S)/, '').trim()

/** Matches a numbered heading: "2.1. Materials", "IV. Results". */
export const numbered = /^((\d{1,2}(\.\d{1,2}){0,4}[.)]?)|([IVX]{1,5}\.)|([A-H]\.))\s+\p{Lu}/u

const referencesTitle = new RegExp(
  '^(references?|bibliography|literature|literature cited|references and notes|notes and references|works cited|' +
  'cited references)[.:]?$',
  'i'
)

/** Whether a heading starts the reference list. */
export const isReferencesTitle = (text: string): boolean => referencesTitle.test(text.replace(/^[\W\d]+|\W+$/g, '').trim())
