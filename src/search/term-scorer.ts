import { idf } from './bm25.js'
import { Match } from './query-plan.js'
import type { Block } from './segment.js'
import { type Totals, wideShare } from './totals.js'
import { exactShift, saturationsOf, type TermDocuments, type WideTermDocuments } from './wide-terms.js'

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

/** A segment's documents within all: the position of its first, and for each the frequency at which a score reaches half of its maximum. */
export interface ScoredSegment { base: number, lengthNorms: Float32Array }

interface TermScorerOptions {
  /** Number of documents. */
  total: number
  /** Weighted term frequency by byte of field counts. */
  frequencies: Float64Array
  segments: readonly ScoredSegment[]
}

/**
 * Scores one term after another over all documents. Its arrays are kept between terms and queries, and reset where they were touched.
 */
export class TermScorer {
  readonly capacity: number
  // Of one pattern.
  /** Positive: frequency of the word and its inflections. Negative: of longer words only. One array stays in the processor's cache. */
  readonly #frequency: Float32Array
  /** 1 for documents with another form than an inflection; meaningless while the frequency is below zero. */
  readonly #isExact: Uint8Array
  readonly #touched: Uint32Array
  /** The lists of each segment begin at the position of its first document. */
  readonly #lists: TermDocuments
  // Of one term of several patterns.
  readonly #score: Float32Array
  readonly #patterns: Uint8Array
  readonly #exactPatterns: Uint8Array
  readonly #matched: Uint32Array
  #touchedCount = 0
  #options: TermScorerOptions = { total: 0, frequencies: new Float64Array(), segments: [] }
  #whole: Float64Array = new Float64Array()
  #inflection: Float64Array = new Float64Array()
  #prefix: Float64Array = new Float64Array()

  constructor (capacity: number) {
    this.capacity = capacity
    this.#frequency = new Float32Array(capacity)
    this.#isExact = new Uint8Array(capacity)
    this.#touched = new Uint32Array(capacity)
    this.#lists = {
      ordinals: new Uint32Array(capacity),
      frequencies: new Float32Array(capacity),
      isExact: new Uint8Array(capacity)
    }
    this.#score = new Float32Array(capacity)
    this.#patterns = new Uint8Array(capacity)
    this.#exactPatterns = new Uint8Array(capacity)
    this.#matched = new Uint32Array(capacity)
  }

  /** Starts a query. */
  begin (options: TermScorerOptions): void {
    this.#options = options
    this.#whole = options.frequencies
    this.#inflection = options.frequencies.map(frequency => inflectionWeight * frequency)
    this.#prefix = options.frequencies.map(frequency => prefixWeight * frequency)
  }

  /**
   * Adds a term of several patterns to the totals of documents that match all of them. @param patterns the postings of each, segment after
   * segment
   * @returns the term's idf, its weight in the query
   */
  addTerm (patterns: readonly Postings[][], totals: Totals): number {
    let [weight, matched] = [0, 0]
    for (const postingLists of patterns) {
      this.#count(postingLists)
      weight += this.#scoreTouched(this.#score, this.#exactPatterns)
      for (let index = 0; index < this.#touchedCount; index++) {
        const doc = this.#touched[index]!
        if (this.#patterns[doc] === 0) this.#matched[matched++] = doc
        this.#patterns[doc]!++
      }
    }
    for (let index = 0; index < matched; index++) {
      const doc = this.#matched[index]!
      if (this.#patterns[doc] === patterns.length) {
        if (totals.scores[doc] === 0) totals.found[totals.foundCount++] = doc
        totals.scores[doc]! += this.#score[doc]!
        if (this.#exactPatterns[doc] === patterns.length) totals.matchedTerms[doc]!++
      }
      this.#score[doc] = this.#patterns[doc] = this.#exactPatterns[doc] = 0
    }
    return weight
  }

  /**
   * Lists the documents of one segment that have these postings, until the next list of the segment.
   * @param base the position of its first document @param count of all its documents
   */
  list (postings: readonly Postings[], base: number, count: number): TermDocuments {
    this.#touchedCount = 0
    for (const list of postings) {
      if (list.match === Match.prefix) this.#countPrefixes(list)
      else this.#countWholes(list)
    }
    if (this.#touchedCount > count * wideShare) this.#sortTouched(base, base + count)
    const [sums, isExact, touched, size] = [this.#frequency, this.#isExact, this.#touched, this.#touchedCount]
    const [end, lists] = [base + size, this.#lists]
    const found = {
      ordinals: lists.ordinals.subarray(base, end),
      frequencies: lists.frequencies.subarray(base, end),
      isExact: lists.isExact.subarray(base, end)
    }
    for (let index = 0; index < size; index++) {
      const doc = touched[index]!
      const sum = sums[doc]!
      found.ordinals[index] = doc - base
      found.frequencies[index] = sum
      found.isExact[index] = sum > 0 ? isExact[doc]! : 1
      sums[doc] = 0
    }
    return found
  }

  /** Adds a term of one pattern to the totals. @param lists its documents in each segment @param rarity its idf */
  addListed (lists: ReadonlyArray<TermDocuments | WideTermDocuments>, rarity: number, totals: Totals): void {
    const { segments } = this.#options
    for (const [at, list] of lists.entries()) {
      if ('codes' in list) addWide(list, rarity, segments[at]!, totals)
      else addList(list, rarity, segments[at]!, totals)
    }
  }

  /** Sums the frequencies of one pattern. */
  #count (postingLists: readonly Postings[]): void {
    this.#touchedCount = 0
    for (const list of postingLists) {
      if (list.match === Match.prefix) this.#countPrefixes(list)
      else this.#countWholes(list)
    }
    if (this.#touchedCount > this.#options.total * wideShare) this.#sortTouched(0, this.#options.total)
  }

  /** Lists the touched documents of a range in their order, in which memory is read faster. */
  #sortTouched (from: number, to: number): void {
    const [sums, touched] = [this.#frequency, this.#touched]
    let count = 0
    for (let doc = from; doc < to; doc++) if (sums[doc] !== 0) touched[count++] = doc
  }

  // Both read postings as forEachPosting does, without a call for each.

  #countPrefixes ({ base, block: { postings, starts }, from, to }: Postings): void {
    const [sums, isExact, touched, frequencies] = [this.#frequency, this.#isExact, this.#touched, this.#prefix]
    let touchedCount = this.#touchedCount
    for (let entry = from; entry < to; entry++) {
      const end = starts[entry + 1]!
      let doc = base - 1
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
        const before = sums[doc]!
        const frequency = frequencies[postings[byte++]!]!
        if (before > 0) {
          isExact[doc] = 1
        } else {
          sums[doc] = before - frequency
          if (before === 0) touched[touchedCount++] = doc
        }
      }
    }
    this.#touchedCount = touchedCount
  }

  #countWholes ({ base, block: { postings, starts }, from, to, match }: Postings): void {
    const [sums, isExact, touched] = [this.#frequency, this.#isExact, this.#touched]
    const frequencies = match === Match.whole ? this.#whole : this.#inflection
    const exact = match === Match.inflection ? 0 : 1
    let touchedCount = this.#touchedCount
    for (let entry = from; entry < to; entry++) {
      const end = starts[entry + 1]!
      let doc = base - 1
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
        const before = sums[doc]!
        const frequency = frequencies[postings[byte++]!]!
        if (before > 0) {
          sums[doc] = before + frequency
          isExact[doc]! |= exact
        } else {
          sums[doc] = frequency
          if (before === 0) {
            touched[touchedCount++] = doc
            isExact[doc] = exact
          } else {
            isExact[doc] = 1
          }
        }
      }
    }
    this.#touchedCount = touchedCount
  }

  /** Adds the scores of the documents that `#count` touched, and for exact matches 1; resets what it summed. @returns the pattern's idf */
  #scoreTouched (scores: Float32Array, exactMatches: Uint8Array): number {
    const { total, segments } = this.#options
    const [sums, isExact, touched, touchedCount] = [this.#frequency, this.#isExact, this.#touched, this.#touchedCount]
    const rarity = idf(total, touchedCount)
    // Documents of one segment follow each other.
    let at = 0
    let { base, lengthNorms } = segments[0]!
    for (let index = 0; index < touchedCount; index++) {
      const doc = touched[index]!
      while (doc - base >= lengthNorms.length) ({ base, lengthNorms } = segments[++at]!)
      const sum = sums[doc]!
      // Longer words count only where the word itself is missing.
      const frequency = sum > 0 ? sum : -sum
      scores[doc]! += rarity * Math.fround(frequency / (frequency + lengthNorms[doc - base]!))
      exactMatches[doc]! += sum > 0 ? isExact[doc]! : 1
      sums[doc] = 0
    }
    return rarity
  }
}

/** Adds the scores of a word to the documents of its list. */
function addList ({ ordinals, frequencies, isExact }: TermDocuments, rarity: number, segment: ScoredSegment, totals: Totals): void {
  const { base, lengthNorms } = segment
  const { scores, matchedTerms, found } = totals
  let { foundCount } = totals
  for (let index = 0; index < ordinals.length; index++) {
    const ordinal = ordinals[index]!
    const doc = base + ordinal
    const sum = frequencies[index]!
    // Longer words count only where the word itself is missing.
    const frequency = sum > 0 ? sum : -sum
    const score = scores[doc]!
    if (score === 0) found[foundCount++] = doc
    // Rounded as in a wide list, so that equal documents are equal.
    scores[doc] = score + rarity * Math.fround(frequency / (frequency + lengthNorms[ordinal]!))
    matchedTerms[doc]! += isExact[index]!
  }
  totals.foundCount = foundCount
}

/** Adds the scores of a common word, document by document. */
function addWide (list: WideTermDocuments, rarity: number, { base, lengthNorms }: ScoredSegment, totals: Totals): void {
  const { scores, matchedTerms } = totals
  const { codes } = list
  const saturations = saturationsOf(list, lengthNorms)
  totals.hasUnlisted = true
  for (let ordinal = 0; ordinal < codes.length; ordinal++) {
    scores[base + ordinal]! += rarity * saturations[ordinal]!
    matchedTerms[base + ordinal]! += codes[ordinal]! >>> exactShift
  }
}
