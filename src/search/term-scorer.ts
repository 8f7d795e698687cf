import { Match } from './query-plan.js'
import type { Block } from './segment.js'

/** How much an inflection, and a longer word, count relative to the word itself. */
const inflectionWeight = 0.9
const prefixWeight = 0.25

/** Postings of adjacent entries, `from` up to but not including `to`, that match a pattern in the same way. */
export interface Postings {
  /** The position of the segment's first document over all segments. */
  base: number
  block: Block
  from: number
  to: number
  match: Match
}

/** What a query's terms add up to, for each document. */
export interface Totals {
  scores: Float32Array
  /** How many terms it has, as words or longer words; inflections do not count. */
  matchedTerms: Uint8Array
  /** The sum of the idf of every term that it has in any form. */
  matchedWeight: Float32Array
  /** 1 if it has any term in any form. */
  isFound: Uint8Array
}

interface TermScorerOptions {
  /** Number of documents. */
  total: number
  /** Weighted term frequency by byte of field counts. */
  frequencies: Float64Array
  /** For each document the frequency at which a score reaches half of its maximum. */
  lengthNorms: Float32Array
}

/** Bits of how a document matches a pattern: in a form that counts for "has all terms", or as an inflection. */
const exact = 2
const inflected = 1

/**
 * Scores one term after another over all documents: `begin`, `add` for each pattern of the term, `end`. Arrays are kept between terms
 * and reset where they were touched.
 */
export class TermScorer {
  readonly #total: number
  readonly #frequencies: Float64Array
  readonly #lengthNorms: Float32Array
  // Of one pattern.
  readonly #wholeFrequency: Float32Array
  readonly #prefixFrequency: Float32Array
  readonly #kinds: Uint8Array
  readonly #touched: Uint32Array
  // Of one term.
  readonly #score: Float32Array
  readonly #patterns: Uint8Array
  readonly #exactPatterns: Uint8Array
  readonly #matched: Uint32Array
  #matchedCount = 0
  #idf = 0

  constructor ({ total, frequencies, lengthNorms }: TermScorerOptions) {
    this.#total = total
    this.#frequencies = frequencies
    this.#lengthNorms = lengthNorms
    this.#wholeFrequency = new Float32Array(total)
    this.#prefixFrequency = new Float32Array(total)
    this.#kinds = new Uint8Array(total)
    this.#touched = new Uint32Array(total)
    this.#score = new Float32Array(total)
    this.#patterns = new Uint8Array(total)
    this.#exactPatterns = new Uint8Array(total)
    this.#matched = new Uint32Array(total)
  }

  /** Starts a term. */
  begin (): void {
    this.#matchedCount = 0
    this.#idf = 0
  }

  /** Adds the postings of one pattern of the term. */
  add (postingLists: readonly Postings[]): void {
    const list = this.#touched
    let touched = 0
    let wholes = 0
    const whole = this.#wholeFrequency
    const prefix = this.#prefixFrequency
    const kinds = this.#kinds
    const frequencies = this.#frequencies
    const lengthNorms = this.#lengthNorms
    for (const { base, block: { postings, starts }, from, to, match } of postingLists) {
      const target = match === Match.prefix ? prefix : whole
      const factor = match === Match.whole ? 1 : match === Match.prefix ? prefixWeight : inflectionWeight
      const kind = match === Match.inflection ? inflected : exact
      const isWhole = match !== Match.prefix
      for (let entry = from; entry < to; entry++) {
        const end = starts[entry + 1]!
        let doc = base - 1
        // Reads postings as forEachPosting does, without a call for each.
        for (let byte = starts[entry]!; byte < end;) {
          let distance = postings[byte++]!
          if (distance > 127) {
            distance &= 127
            for (let shift = 7; ; shift += 7) {
              const part = postings[byte++]!
              distance |= (part & 127) << shift
              if (part < 128) break
            }
          }
          doc += distance
          if (kinds[doc] === 0) list[touched++] = doc
          if (isWhole && whole[doc] === 0) wholes++
          kinds[doc]! |= kind
          target[doc]! += factor * frequencies[postings[byte++]!]!
        }
      }
    }
    const wholeIdf = idf(this.#total, wholes)
    const prefixIdf = idf(this.#total, touched)
    this.#idf += prefixIdf
    for (let index = 0; index < touched; index++) {
      const doc = list[index]!
      const norm = lengthNorms[doc]!
      const wholeFrequency = whole[doc]!
      const prefixFrequency = prefix[doc]!
      // Longer words count only where the word itself is missing.
      const score = wholeFrequency > 0 ? wholeIdf * wholeFrequency / (wholeFrequency + norm) : prefixIdf * prefixFrequency / (prefixFrequency + norm)
      if (this.#patterns[doc] === 0) this.#matched[this.#matchedCount++] = doc
      this.#patterns[doc]!++
      if ((kinds[doc]! & exact) !== 0) this.#exactPatterns[doc]!++
      this.#score[doc]! += score
      whole[doc] = prefix[doc] = kinds[doc] = 0
    }
  }

  /** Adds the term to the totals of documents that match all its patterns. @returns the term's idf, its weight in the query */
  end (patterns: number, { scores, matchedTerms, matchedWeight, isFound }: Totals): number {
    for (let index = 0; index < this.#matchedCount; index++) {
      const doc = this.#matched[index]!
      if (this.#patterns[doc] === patterns) {
        scores[doc]! += this.#score[doc]!
        if (this.#exactPatterns[doc] === patterns) matchedTerms[doc]!++
        matchedWeight[doc]! += this.#idf
        isFound[doc] = 1
      }
      this.#score[doc] = this.#patterns[doc] = this.#exactPatterns[doc] = 0
    }
    return this.#idf
  }
}

/** BM25's inverse document frequency. */
const idf = (total: number, having: number): number => Math.log(1 + (total - having + 0.5) / (having + 0.5))
