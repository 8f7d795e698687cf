import { frequencies } from './bm25.js'
import { Corpus, type LoadedSegment } from './corpus.js'
import type { Expansion } from './query-expansion.js'
import type { Matches } from './matches.js'
import { type QueryPlan, wholeWord } from './query-plan.js'
import { lengthNormsOf, Scoring } from './scoring.js'
import { forEachPosting } from './segment.js'
import type { Postings } from './term-scorer.js'
import type { Totals } from './totals.js'
import { type PageDocument, selectPage } from './top-documents.js'

/** Above any sum of term scores. */
const identifierScore = 10_000

/** Keeps only these documents, or drops them. */
export interface NumberFilter { numbers: readonly number[] | Uint32Array, keep: boolean }

/** A feed item of the results, by its UUID; `hasAllTerms` counts longer words, not other inflections. */
export interface RankedItem { id: string, hasAllTerms: boolean }

/** An item with the share of the highest possible score, 0 to 1, that it has for each term. */
export interface SharedItem extends RankedItem { shares: Float32Array }

/** A page of results. */
export interface Page { limit: number, offset: number }

/** Everything that documents are matched with. */
export interface MatchInput {
  plan: QueryPlan
  segments: readonly LoadedSegment[]
  /** Lists of the numbers of deleted documents. */
  tombstones: ReadonlyArray<ArrayLike<number>>
  /** Leaves out documents whose item became ready later, in milliseconds since 1970. */
  asOf?: number | undefined
}

/** Finds the documents that have any term of a query, and scores them by BM25 over weighted fields. @see docs/search.md */
export function findMatches ({ plan, segments, tombstones, asOf }: MatchInput): Matches {
  const corpus = new Corpus(segments)
  const { total } = corpus
  if (total === 0) return { corpus, hasAllTerms: new Uint8Array(), scores: new Float32Array(), count: 0, termWeights: [], queryWeight: 0 }
  const scoring = new Scoring(corpus)
  const { totals } = scoring
  const { termWeights, common } = scoring.addRareTerms(plan)
  for (const term of common) scoring.addCommonTerm(term)
  const { scores } = totals
  for (const { base, block, from } of corpus.findPostings(wholeWord(plan.identifier))) {
    forEachPosting(block, from, docOrdinal => { if (scores[base + docOrdinal] !== 0) scores[base + docOrdinal]! += identifierScore })
  }
  corpus.visitExcluded({ tombstones, asOf }, doc => { scores[doc] = 0 })

  const matches = { corpus, ...weigh(termWeights), ...collectMatches(totals, total, plan.terms.length) }
  totals.clear(total)
  return matches
}

/** The weights of a query's terms, and their sum. */
export const weigh = (termWeights: readonly number[]): Pick<Matches, 'termWeights' | 'queryWeight'> =>
  ({ termWeights, queryWeight: termWeights.reduce((sum, weight) => sum + weight, 0) })

/** Copies what a query summed. Many documents are read and copied faster in their order, with those between them. */
export function collectMatches (
  totals: Totals,
  total: number,
  termCount: number
): Pick<Matches, 'docs' | 'hasAllTerms' | 'scores' | 'count'> {
  const { scores, matchedTerms, found, foundCount } = totals
  let count = 0
  if (totals.isWide(total)) {
    const hasAllTerms = new Uint8Array(total)
    for (let doc = 0; doc < total; doc++) {
      hasAllTerms[doc] = matchedTerms[doc] === termCount ? 1 : 0
      count += scores[doc] === 0 ? 0 : 1
    }
    return { hasAllTerms, scores: scores.slice(0, total), count }
  }
  const docs = new Uint32Array(foundCount)
  const hasAllTerms = new Uint8Array(foundCount)
  const foundScores = new Float32Array(foundCount)
  for (let index = 0; index < foundCount; index++) {
    const doc = found[index]!
    if (scores[doc] === 0) continue
    docs[count] = doc
    hasAllTerms[count] = matchedTerms[doc] === termCount ? 1 : 0
    foundScores[count++] = scores[doc]!
  }
  return { docs: docs.subarray(0, count), hasAllTerms: hasAllTerms.subarray(0, count), scores: foundScores.subarray(0, count), count }
}

/** Kept between searches, as the arrays of the scorer are. */
let expansionScores = new Float32Array()

/** The scores that an expansion gives each document, whether it matches the query or not, until the next call. */
export function scoreExpansion (corpus: Corpus, expansion: Expansion): Float32Array {
  const lengthNorms = lengthNormsOf(corpus)
  if (expansionScores.length < corpus.total) expansionScores = new Float32Array(Math.ceil(corpus.total * 1.25))
  const added = expansionScores.subarray(0, corpus.total).fill(0)
  for (const { postings, weight } of expansion) {
    // A segment without documents has the base of the one after it, and no postings.
    for (const list of postings) addWeighted(added, list, lengthNorms[corpus.bases.lastIndexOf(list.base)]!, weight)
  }
  return added
}

/** Adds the scores of an expansion to documents that match the query. */
export function addExpansion (matches: Matches, expansion: Expansion): Matches {
  const { corpus, docs } = matches
  const { total } = corpus
  const added = scoreExpansion(corpus, expansion)
  const scores = matches.scores.slice()
  if (docs === undefined) {
    for (let doc = 0; doc < total; doc++) if (scores[doc] !== 0) scores[doc]! += added[doc]!
  } else {
    for (let index = 0; index < docs.length; index++) scores[index]! += added[docs[index]!]!
  }
  return { ...matches, scores }
}

/** Adds the scores of one entry. Reads postings as forEachPosting does, without a call for each. */
function addWeighted (added: Float32Array, { base, block, from }: Postings, norms: Float32Array, weight: number): void {
  const { postings, starts } = block
  const end = starts[from + 1]!
  let docOrdinal = -1
  for (let byte = starts[from]!; byte < end;) {
    let distance = postings[byte++]!
    if (distance > 127) {
      distance &= 127
      for (let shift = 7; ; shift += 7) {
        const part = postings[byte++]!
        distance |= (part & 127) << shift
        if (part < 128) break
      }
    }
    docOrdinal += distance
    const frequency = frequencies[postings[byte++]!]!
    added[base + docOrdinal]! += weight * frequency / (frequency + norms[docOrdinal]!)
  }
}

/** Selects one page of the matches that pass the filters: those with all terms first, then by score, newest first, and by id. */
export const selectItems = (matches: Matches, filters: readonly NumberFilter[], page: Page): RankedItem[] =>
  selectDocuments(matches, filters, page).map(({ id, group }) => ({ id, hasAllTerms: group === 1 }))

function selectDocuments ({ corpus, docs, hasAllTerms, scores }: Matches, filters: readonly NumberFilter[], page: Page): PageDocument[] {
  const passing = filters.length === 0 ? undefined : applyFilters(corpus, filters)
  return selectPage(
    { docs, groups: hasAllTerms, scores, passing, readyAt: doc => corpus.readyAt(doc), id: doc => corpus.id(doc) },
    page
  )
}

/**
 * The same page with the shares of each item. Scores of one corpus say nothing in another, where other words are rare; shares do. An item
 * that the query identifies has all of every share.
 */
export function selectShared (plan: QueryPlan, matches: Matches, filters: readonly NumberFilter[], page: Page): SharedItem[] {
  const { corpus } = matches
  const selected = selectDocuments(matches, filters, page)
  const items = selected.map(({ id, group, score }) => ({
    id,
    hasAllTerms: group === 1,
    shares: new Float32Array(plan.terms.length).fill(score >= identifierScore ? 1 : 0)
  }))
  if (items.length === 0) return items
  const scoring = new Scoring(corpus)
  const docs = Uint32Array.from(selected, ({ doc }) => doc)
  for (const [at, term] of plan.terms.entries()) {
    const { weight, scores } = scoring.scoreDocuments(term, docs)
    for (const [index, { score }] of selected.entries()) if (score < identifierScore) items[index]!.shares[at] = scores[index]! / weight
  }
  return items
}

/** For each document of the corpus whether it passes all filters. */
function applyFilters (corpus: Corpus, filters: readonly NumberFilter[]): Uint8Array {
  const passing = new Uint8Array(corpus.total).fill(1)
  for (const { numbers, keep } of filters) {
    const listed = new Uint8Array(corpus.total)
    corpus.visitNumbers(numbers, doc => { listed[doc] = 1 })
    for (let doc = 0; doc < passing.length; doc++) if ((listed[doc] === 1) !== keep) passing[doc] = 0
  }
  return passing
}
