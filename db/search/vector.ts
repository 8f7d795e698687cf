import { entriesOf, wordsOf } from './words.js'

export interface Searchable {
  title: string
  authors: readonly { name: string }[]
  summary: string | null
  abstract: string | null
  /** DOI, PMID, arXiv id … */
  identifiers: readonly (string | null | undefined)[]
}

/** PostgreSQL keeps positions up to this one, and 255 of them a word. */
const lastPosition = 16_383
const positionsOfWord = 255
/** A tsvector may have 1 MiB; beyond this many different words, an abstract is no abstract. */
const mostEntries = 20_000

/** The tsvector of a feed item, in its text form: title A, authors B, summary C, abstract and identifiers D. */
export function searchVector ({ title, authors, summary, abstract, identifiers }: Searchable): string {
  const positions = new Map<string, string[]>()
  let position = 0
  const add = (text: string | null | undefined, weight: 'A' | 'B' | 'C' | 'D') => {
    if (!text) return
    for (const word of wordsOf(text)) {
      position = Math.min(position + 1, lastPosition)
      for (const entry of entriesOf(word)) {
        const known = positions.get(entry)
        if (known === undefined) {
          if (positions.size < mostEntries) positions.set(entry, [`${position}${weight}`])
        } else if (known.length < positionsOfWord) known.push(`${position}${weight}`)
      }
    }
    // A gap, so that no phrase reaches from one field into the next.
    position = Math.min(position + 1, lastPosition)
  }
  add(title, 'A')
  for (const { name } of authors) add(name, 'B')
  add(summary, 'C')
  for (const identifier of identifiers) add(identifier, 'D')
  add(abstract, 'D')
  return [...positions].map(([entry, at]) => `'${entry}':${at.join(',')}`).join(' ')
}
