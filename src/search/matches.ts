import type { Corpus } from './corpus.js'

/** The documents that match a query, before filters. */
export interface Matches {
  corpus: Corpus
  /** Their positions in the corpus; undefined if so many match that the arrays have a place for each document. */
  docs?: Uint32Array
  /** For each of them 1 or 0. */
  hasAllTerms: Uint8Array
  /** For each of them; 0 for a document that does not match. */
  scores: Float32Array
  /** How many documents match, or, of the best matches, how many match by a rare term. */
  count: number
  /** The idf of each term. */
  termWeights: readonly number[]
  /** Their sum. */
  queryWeight: number
}
