import { frequencies, lengthNorm } from './bm25.js'
import { Corpus, type LoadedSegment } from './corpus.js'
import type { Expansion } from './feedback.js'
import type { Matches } from './matches.js'
import { type EntryPattern, type QueryPlan, wholeWord } from './query-plan.js'
import { type Documents, forEachPosting } from './segment.js'
import { type Postings, TermScorer } from './term-scorer.js'
import { Totals, wideShare } from './totals.js'
import { type PageDocument, selectPage } from './top-documents.js'
import { keepTermDocuments, knownTermDocuments, type TermDocuments, type WideTermDocuments } from './wide-terms.js'

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
  /** Numbers of deleted documents. */
  tombstones: readonly number[]
}

/** Finds the documents that have any term of a query, and scores them by BM25 over weighted fields. @see docs/search.md */
export function findMatches ({ plan, segments, tombstones }: MatchInput): Matches {
  const corpus = new Corpus(segments)
  const { total } = corpus
  if (total === 0) return { corpus, hasAllTerms: new Uint8Array(), scores: new Float32Array(), count: 0, termWeights: [], queryWeight: 0 }
  const { totals, addTerm } = startScoring(corpus)
  const termWeights = plan.terms.map(addTerm)
  const { scores } = totals
  for (const { base, block, from } of corpus.findPostings(wholeWord(plan.identifier))) {
    forEachPosting(block, from, docOrdinal => { if (scores[base + docOrdinal] !== 0) scores[base + docOrdinal]! += identifierScore })
  }
  for (const number of tombstones) corpus.visitNumber(number, doc => { scores[doc] = 0 })

  const queryWeight = termWeights.reduce((sum, weight) => sum + weight, 0)
  const matches = { corpus, termWeights, queryWeight, ...collectMatches(totals, total, plan.terms.length) }
  totals.clear(total)
  return matches
}

/** Empty totals for the documents of a corpus, and what adds a term's scores to them and returns the term's idf. */
function startScoring (corpus: Corpus): { totals: Totals, addTerm: (term: readonly EntryPattern[]) => number } {
  const { total, bases, segments } = corpus
  const { scorer, totals } = workspaceFor(total)
  scorer.begin({ total, frequencies, segments: lengthNormsOf(corpus).map((lengthNorms, index) => ({ base: bases[index]!, lengthNorms })) })
  return {
    totals,
    addTerm: term => term.length > 1
      ? scorer.addTerm(term.map(pattern => corpus.findPostings(pattern)), totals)
      : scorer.addListed(segments.map((_segment, index) => listDocuments(corpus, index, term[0]!, scorer)), totals)
  }
}

/** Copies what a query summed. Many documents are read and copied faster in their order, with those between them. */
function collectMatches (totals: Totals, total: number, termCount: number): Pick<Matches, 'docs' | 'hasAllTerms' | 'scores' | 'count'> {
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

/** The documents of a segment that match a pattern. */
function listDocuments (corpus: Corpus, index: number, pattern: EntryPattern, scorer: TermScorer): TermDocuments | WideTermDocuments {
  const { documents } = corpus.segments[index]!
  const { word } = pattern
  const known = word === undefined ? undefined : knownTermDocuments(documents, word)
  if (known !== undefined) return known
  const list = scorer.list(corpus.findPostingsIn(index, pattern), corpus.bases[index]!, documents.count)
  if (word !== undefined) keepTermDocuments(documents, word, list, wideShare)
  return list
}

/** Adds the scores of an expansion to documents that match the query. */
export function addExpansion (matches: Matches, expansion: Expansion): Matches {
  const { corpus: { total, bases }, docs } = matches
  const lengthNorms = lengthNormsOf(matches.corpus)
  const added = new Float32Array(total)
  for (const { postings, weight } of expansion) {
    for (const list of postings) addWeighted(added, list, lengthNorms[bases.indexOf(list.base)]!, weight)
  }
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
  const { totals, addTerm } = startScoring(corpus)
  for (const [at, term] of plan.terms.entries()) {
    const weight = addTerm(term)
    for (const [index, { doc, score }] of selected.entries()) {
      if (score < identifierScore) items[index]!.shares[at] = totals.scores[doc]! / weight
    }
    totals.clear(corpus.total)
  }
  return items
}

/** For each document of the corpus whether it passes all filters. */
function applyFilters (corpus: Corpus, filters: readonly NumberFilter[]): Uint8Array {
  const passing = new Uint8Array(corpus.total).fill(1)
  for (const { numbers, keep } of filters) {
    const listed = new Uint8Array(corpus.total)
    for (const number of numbers) corpus.visitNumber(number, doc => { listed[doc] = 1 })
    for (let doc = 0; doc < passing.length; doc++) if ((listed[doc] === 1) !== keep) passing[doc] = 0
  }
  return passing
}

/** Arrays that queries use one after the other: allocating them for every query would take longer than ranking a rare word. */
let workspace = { scorer: new TermScorer(0), totals: new Totals(0) }

function workspaceFor (total: number): { scorer: TermScorer, totals: Totals } {
  // A query that failed half-way left its sums behind.
  if (workspace.scorer.capacity < total || workspace.totals.isTouched) {
    const capacity = Math.ceil(total * 1.25)
    workspace = { scorer: new TermScorer(capacity), totals: new Totals(capacity) }
  }
  return workspace
}

/** For each document the term frequency at which a term's score reaches half of its maximum. Remembered while the average length stays. */
const norms = new WeakMap<Documents, { averageLength: number, lengthNorms: Float32Array }>()

const lengthNormsOf = ({ segments, averageLength }: Corpus): Float32Array[] => segments.map(({ documents }) => {
  const known = norms.get(documents)
  if (known?.averageLength === averageLength) return known.lengthNorms
  const { lengths, count } = documents
  const lengthNorms = new Float32Array(count)
  for (let docOrdinal = 0; docOrdinal < count; docOrdinal++) lengthNorms[docOrdinal] = lengthNorm(lengths[docOrdinal]!, averageLength)
  norms.set(documents, { averageLength, lengthNorms })
  return lengthNorms
})
