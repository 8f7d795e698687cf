import { compoundsOf, entriesOf, wordsOf } from './tokenizer.js'

/** What a feed item is found by. */
export interface Searchable {
  title: string
  authors: readonly { name: string }[]
  summary: string | null
  abstract: string | null
  /** DOI, PMID, arXiv id … */
  identifiers: ReadonlyArray<string | null | undefined>
}

/** The entries of one document, each with how often every field has it, and its length in words. */
export interface Indexed {
  entries: Map<string, number>
  length: number
}

/**
 * Counts of the four fields in one byte: title 0 to 3, authors 0 to 1, summary 0 to 3, abstract 0 to 7. What counts more than that
 * would hardly rank higher: term frequency saturates.
 */
const fields = {
  title: { shift: 0, most: 3 },
  authors: { shift: 2, most: 1 },
  summary: { shift: 3, most: 3 },
  abstract: { shift: 5, most: 7 }
} as const
export type Field = keyof typeof fields

/** Beyond this many different entries, an abstract is no abstract. */
const mostEntries = 20_000
export const longestLength = 65_535

/** The weighted term frequency of every possible byte of counts. */
export const frequencies = (weights: Readonly<Record<Field, number>>): Float64Array =>
  Float64Array.from({ length: 256 }, (_each, counts) =>
    Object.entries(fields).reduce((sum, [field, { shift, most }]) => sum + weights[field as Field] * ((counts >> shift) & most), 0))

export function indexed ({ title, authors, summary, abstract, identifiers }: Searchable): Indexed {
  const entries = new Map<string, number>()
  let length = 0
  const add = (entry: string, field: Field) => {
    const { shift, most } = fields[field]
    const counts = entries.get(entry) ?? 0
    if (counts === 0 && entries.size >= mostEntries) return
    if (((counts >> shift) & most) < most) entries.set(entry, counts + (1 << shift))
  }
  const read = (text: string | null, field: Field): number => {
    if (text === null || text === '') return 0
    const words = wordsOf(text)
    for (const word of words) for (const entry of entriesOf(word)) add(entry, field)
    for (const compound of compoundsOf(text)) add(compound, field)
    return words.length
  }
  length += read(title, 'title')
  for (const { name } of authors) length += read(name, 'authors')
  read(summary, 'summary')
  length += read(abstract, 'abstract')
  for (const identifier of identifiers) {
    if (!identifier) continue
    read(identifier, 'abstract')
    add(identifierEntry(wordsOf(identifier)), 'title')
  }
  return { entries, length: Math.min(length, longestLength) }
}

/** What finds an identifier as a whole, typed as all of a query: its different words. No word begins like it. */
export const identifierEntry = (words: readonly string[]): string => ` ${[...new Set(words)].join(' ')}`.slice(0, 200)
