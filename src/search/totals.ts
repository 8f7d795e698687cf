/** More documents than this share are visited in their order: memory is read faster that way. */
export const wideShare = 1 / 16

/** Sums of the scores of a query's terms, by document. Zero between queries: `clear` resets what a query touched. */
export class Totals {
  readonly scores: Float32Array
  /** How many terms it has, as words or longer words; inflections do not count. */
  readonly matchedTerms: Uint8Array
  /** 1 if it has any term in any form. */
  readonly isFound: Uint8Array
  /** The documents that have any term, `foundCount` of them. */
  readonly found: Uint32Array
  foundCount = 0

  constructor (capacity: number) {
    this.scores = new Float32Array(capacity)
    this.matchedTerms = new Uint8Array(capacity)
    this.isFound = new Uint8Array(capacity)
    this.found = new Uint32Array(capacity)
  }

  /** @param total number of documents of the query */
  clear (total: number): void {
    const { scores, matchedTerms, isFound, found, foundCount } = this
    this.foundCount = 0
    if (foundCount > total * wideShare) {
      for (const array of [scores, matchedTerms, isFound]) array.fill(0, 0, total)
      return
    }
    for (let index = 0; index < foundCount; index++) {
      const doc = found[index]!
      scores[doc] = matchedTerms[doc] = isFound[doc] = 0
    }
  }
}
