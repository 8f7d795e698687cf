import type { Corpus } from './corpus.js'

/** The documents that match a query, before filters. */
export interface Matches {
  corpus: Corpus
  /** Positions in the corpus. */
  docs: Uint32Array
  /** For each of them 1 or 0. */
  hasAllTerms: Uint8Array
  /** For each of them. */
  scores: Float32Array
  /** The sum of the terms' idf. */
  queryWeight: number
}
