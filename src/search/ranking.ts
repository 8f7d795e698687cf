import { fieldFrequencies } from './document.js'
import { type EntryPattern, Match, type QueryPlan } from './query-plan.js'
import { type Block, type Documents, forEachPosting, idAt, lowerBound } from './segment.js'
import { type Postings, TermScorer } from './term-scorer.js'
import { selectPage } from './top-documents.js'

/** How much a word in each field counts, relative to the abstract. */
export const weights = { title: 3, authors: 1.5, summary: 0.2, abstract: 1 }
/** BM25: how soon term frequency saturates, and how much a document's length lowers it. */
const k1 = 1.6
const b = 0.75
/** Added to every length: a document without an abstract is not concise, little is known of it. */
const assumedExtraWords = 40
/** In queries of many terms, items that lack only terms with less than the rest of this share of the weight follow those that have all. */
const minTermsForNearlyAll = 5
const nearlyAllShare = 0.9
/** Above any sum of term scores. */
const identifierScore = 10_000

/** A segment in memory, as far as a query needs it. */
export interface LoadedSegment {
  documents: Documents
  /** The sum of its documents' lengths. */
  words: number
  /** Blocks that may hold entries with one of the query's prefixes. */
  blocks: (prefix: string) => Iterable<Block>
}

/** Keeps only these documents, or drops them. */
export interface NumberFilter { numbers: readonly number[], keep: boolean }

/** Everything that a ranking is computed from. */
export interface RankingInput {
  plan: QueryPlan
  segments: readonly LoadedSegment[]
  /** Numbers of deleted documents. */
  tombstones: readonly number[]
  filters: readonly NumberFilter[]
}

/** A feed item of the results, by its UUID; `hasAllTerms` counts longer words, not other inflections. */
export interface RankedItem { id: string, hasAllTerms: boolean }
/** Gives any page of the results. */
export type Ranking = (page: { limit: number, offset: number }) => RankedItem[]

/**
 * Ranks documents by BM25 over weighted fields. Documents are addressed by their position over all segments: a segment's base plus the
 * docOrdinal. @see docs/search.md
 */
export function rank ({ plan, segments, tombstones, filters }: RankingInput): Ranking {
  const bases: number[] = []
  let total = 0
  let words = 0
  for (const segment of segments) {
    bases.push(total)
    total += segment.documents.count
    words += segment.words
  }
  if (total === 0) return () => []
  const scores = new Float32Array(total)
  const matchedTerms = new Uint8Array(total)
  const matchedWeight = new Float32Array(total)
  const isFound = new Uint8Array(total)
  let totalWeight = 0
  const scorer = new TermScorer({ total, frequencies: fieldFrequencies(weights), lengthNorms: lengthNormsOf(segments, total, words / total) })

  for (const term of plan.terms) {
    scorer.begin()
    for (const pattern of term) scorer.add(findPostings(segments, bases, pattern))
    totalWeight += scorer.end(term.length, { scores, matchedTerms, matchedWeight, isFound })
  }
  for (const { base, block, from } of findPostings(segments, bases, { prefixes: [plan.identifier], match: entry => entry === plan.identifier ? Match.whole : Match.none })) {
    forEachPosting(block, from, docOrdinal => { scores[base + docOrdinal]! += identifierScore })
  }

  for (const number of tombstones) visitNumber(segments, bases, number, doc => { isFound[doc] = 0 })
  for (const { numbers, keep } of filters) {
    const kept = new Uint8Array(keep ? total : 0)
    for (const number of numbers) {
      visitNumber(segments, bases, number, doc => {
        if (keep) kept[doc] = isFound[doc]!
        else isFound[doc] = 0
      })
    }
    if (keep) isFound.set(kept)
  }

  const segmentOf = (doc: number) => {
    let index = bases.length - 1
    while (bases[index]! > doc) index--
    return index
  }
  const termCount = plan.terms.length
  const nearlyAll = termCount >= minTermsForNearlyAll ? totalWeight * nearlyAllShare : Infinity
  const found = {
    total,
    isFound,
    group: (doc: number) => matchedTerms[doc] === termCount ? 3 : matchedWeight[doc]! >= nearlyAll ? 2 : matchedTerms[doc]! > 0 ? 1 : 0,
    scores,
    readyAt: (doc: number) => { const index = segmentOf(doc); return segments[index]!.documents.readyAt[doc - bases[index]!]! },
    id: (doc: number) => { const index = segmentOf(doc); return idAt(segments[index]!.documents, doc - bases[index]!) }
  }
  return page => selectPage(found, page).map(({ doc, id }) => ({ id, hasAllTerms: matchedTerms[doc] === termCount }))
}

/** For each document the term frequency at which a term's score reaches half of its maximum. */
function lengthNormsOf (segments: readonly LoadedSegment[], total: number, averageLength: number): Float32Array {
  const norms = new Float32Array(total)
  let doc = 0
  for (const { documents: { lengths, count } } of segments) {
    for (let docOrdinal = 0; docOrdinal < count; docOrdinal++) norms[doc++] = k1 * (1 - b + b * (lengths[docOrdinal]! + assumedExtraWords) / (averageLength + assumedExtraWords))
  }
  return norms
}

/** Sorts after every letter and digit. */
const lastCharacter = '\uffff'

/** The postings of all entries that match a pattern, adjacent entries with the same match together. */
function findPostings (segments: readonly LoadedSegment[], bases: readonly number[], { prefixes, match }: EntryPattern): Postings[] {
  const found: Postings[] = []
  for (const [index, segment] of segments.entries()) {
    for (const prefix of prefixes) {
      for (const block of segment.blocks(prefix)) {
        const end = lowerBound(block.entries, prefix + lastCharacter)
        let last: Postings | undefined
        for (let entry = lowerBound(block.entries, prefix); entry < end; entry++) {
          const kind = match(block.entries[entry]!)
          if (kind === last?.match) last.to = entry + 1
          else if (kind === Match.none) last = undefined
          else found.push(last = { base: bases[index]!, block, from: entry, to: entry + 1, match: kind })
        }
      }
    }
  }
  return found
}

/** Visits the document with this number, wherever a segment holds it. */
function visitNumber (segments: readonly LoadedSegment[], bases: readonly number[], number: number, visit: (doc: number) => void): void {
  for (const [index, { documents: { numbers, count } }] of segments.entries()) {
    if (count === 0 || number < numbers[0]! || number > numbers[count - 1]!) continue
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (numbers[middle]! < number) low = middle + 1
      else high = middle
    }
    if (numbers[low] === number) visit(bases[index]! + low)
  }
}
