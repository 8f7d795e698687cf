/** More documents than this share are visited in their order: memory is read faster that way. */
export const wideShare = 1 / 16

/** Sums of the scores of a query's terms, by document. Zero between queries: `clear` resets what a query touched. */
export class Totals {
  readonly scores: Float32Array
  /** How many terms it has, as words or longer words; inflections do not count. */
  readonly matchedTerms: Uint8Array
  /** Documents that have any term, `foundCount` of them; all but those that `hasUnlisted` stands for. A document is found by its score. */
  readonly found: Uint32Array
  foundCount = 0
  /** Whether so many documents have a term that they are not listed. */
  hasUnlisted = false

  constructor (capacity: number) {
    this.scores = new Float32Array(capacity)
    this.matchedTerms = new Uint8Array(capacity)
    this.found = new Uint32Array(capacity)
  }

  /** Whether a query left its sums behind. */
  get isTouched (): boolean { return this.foundCount > 0 || this.hasUnlisted }

  /** The documents with a score, in any order; a view. @param total number of documents of the query */
  listFound (total: number): Uint32Array {
    const { scores, found, hasUnlisted, foundCount } = this
    if (!hasUnlisted) return found.subarray(0, foundCount)
    let count = 0
    for (let doc = 0; doc < total; doc++) if (scores[doc] !== 0) found[count++] = doc
    return found.subarray(0, count)
  }

  /** Sets the sums of these documents. */
  restore (docs: Uint32Array, scores: Float32Array, matchedTerms: Uint8Array): void {
    this.found.set(docs)
    this.foundCount = docs.length
    for (let index = 0; index < docs.length; index++) {
      this.scores[docs[index]!] = scores[index]!
      this.matchedTerms[docs[index]!] = matchedTerms[index]!
    }
  }

  /** @param total number of documents of the query */
  clear (total: number): void {
    const { scores, matchedTerms, found, foundCount } = this
    const isWide = this.isWide(total)
    this.foundCount = 0
    this.hasUnlisted = false
    if (isWide) {
      for (const array of [scores, matchedTerms]) array.fill(0, 0, total)
      return
    }
    for (let index = 0; index < foundCount; index++) {
      const doc = found[index]!
      scores[doc] = matchedTerms[doc] = 0
    }
  }

  /** Whether all documents are visited rather than those that are listed. */
  isWide (total: number): boolean {
    return this.hasUnlisted || this.foundCount > total * wideShare
  }
}
