import { queryEntriesOf } from './words.js'

/** A search in PostgreSQL's tsquery form. The words hold letters and digits alone, so that no operator can come from outside. */
export interface SearchQuery {
  /** Matches an item that has every term. */
  all: string
  /** Matches an item that has some term; a whole word counts beside the prefix that it also is. */
  some: string
}

export function searchQuery (terms: readonly string[]): SearchQuery {
  const each = terms.map(queryEntriesOf).filter(entries => entries.length > 0)
  const prefix = (entry: string) => `'${entry}':*`
  return {
    all: each.flat().map(prefix).join(' & '),
    some: each.map(entries => entries.length === 1 ? `${prefix(entries[0]!)} | '${entries[0]}'` : `( ${entries.map(prefix).join(' & ')} )`).join(' | ')
  }
}
