import { Corpus } from './corpus.js'
import type { Expansion } from './query-expansion.js'
import type { Matches } from './matches.js'
import { wholeWord } from './query-plan.js'
import { collectMatches, type MatchInput, scoreExpansion, weigh } from './ranking.js'
import { addCommonTerms, type CommonTerm, Scoring } from './scoring.js'

/*
 * The best matches alone (MaxScore: Turtle and Flood 1995, Query evaluation: strategies and optimizations). The words that few documents
 * have are scored first. Once the best of these documents have more than all other words together can add, no further document can be
 * among them, and the other words, of which a question has many, are looked up for the best alone.
 */

/** The matches of a query by the terms that few documents have. */
export interface RareMatches {
  input: MatchInput
  corpus: Corpus
  /** The documents that have any of these terms, in any order. */
  docs: Uint32Array
  /** Their scores by these terms. */
  scores: Float32Array
  /** How many of these terms each has, as words or longer words; inflections do not count. */
  matchedTerms: Uint8Array
  /** How many of these terms there are. */
  rareTerms: number
  commonTerms: readonly CommonTerm[]
  /** For each document of the corpus 1 if it was deleted, or entered the feed too late; undefined if there are none. */
  excluded: Uint8Array | undefined
  /** The idf of each term of the query, and their sum. */
  weights: Pick<Matches, 'termWeights' | 'queryWeight'>
}

/** Above what rounding can add to a score of several terms. */
const rounding = 1e-3

/** Finds the matches by rare terms. @returns undefined if the query is an identifier */
export function findRareMatches (input: MatchInput): RareMatches | undefined {
  const { plan, segments, tombstones, asOf } = input
  const corpus = new Corpus(segments)
  const { total } = corpus
  // The paper of an identifier comes first, whatever its words.
  if (total === 0 || corpus.findPostings(wholeWord(plan.identifier)).length > 0) return undefined
  const scoring = new Scoring(corpus)
  const { totals } = scoring
  const { termWeights, common } = scoring.addRareTerms(plan)
  const rareTerms = plan.terms.length - common.length
  const docs = totals.listFound(total).slice()
  const [scores, matchedTerms] = [new Float32Array(docs.length), new Uint8Array(docs.length)]
  for (let index = 0; index < docs.length; index++) {
    scores[index] = totals.scores[docs[index]!]!
    matchedTerms[index] = totals.matchedTerms[docs[index]!]!
  }
  totals.clear(total)
  const excluded = tombstones.length === 0 && asOf === undefined ? undefined : new Uint8Array(total)
  corpus.visitExcluded({ tombstones, asOf }, doc => { excluded![doc] = 1 })
  return { input, corpus, docs, scores, matchedTerms, rareTerms, commonTerms: common, excluded, weights: weigh(termWeights) }
}

/**
 * Scores the matches that may be in the first `places` places by all terms, and by an expansion, exactly as `findMatches` and
 * `addExpansion` do. @returns undefined if other documents may be in these places; `count` of the result is how many matched by rare terms
 */
export function completeMatches (matches: RareMatches, places: number, expansion?: Expansion): Matches | undefined {
  const { input: { plan }, corpus, docs, scores, matchedTerms, rareTerms, commonTerms, weights } = matches
  const added = expansion === undefined ? undefined : scoreExpansion(corpus, expansion)
  const known = knownScores(matches, added)
  const threshold = scoreOfBest(known, places)
  const bound = commonTerms.reduce((sum, { rarity }) => sum + rarity, rounding)
  if (threshold === undefined || threshold <= bound) return undefined

  const chosen: number[] = []
  for (let index = 0; index < docs.length; index++) {
    // Those with every term come before all others.
    if (known[index]! + bound >= threshold || (matchedTerms[index] === rareTerms && known[index] !== 0)) chosen.push(index)
  }
  const raised = added === undefined || commonTerms.length === 0 ? [] : listRaised(matches, added, threshold - bound)
  const size = chosen.length + raised.length
  const found = { docs: new Uint32Array(size), scores: new Float32Array(size), matchedTerms: new Uint8Array(size) }
  for (let place = 0; place < chosen.length; place++) {
    const index = chosen[place]!
    found.docs[place] = docs[index]!
    found.scores[place] = scores[index]!
    found.matchedTerms[place] = matchedTerms[index]!
  }
  found.docs.set(raised, chosen.length)
  addCommonTerms(corpus, commonTerms, found)

  // An expansion alone does not make a match.
  const isMatch = (_each: number, index: number) => found.scores[index] !== 0
  const matching = found.docs.filter(isMatch)
  const hasAllTerms = found.matchedTerms.filter(isMatch).map(matched => matched === plan.terms.length ? 1 : 0)
  const sums = found.scores.filter(isMatch)
  if (added !== undefined) for (let place = 0; place < sums.length; place++) sums[place]! += added[matching[place]!]!
  return { corpus, docs: matching, hasAllTerms, scores: sums, count: docs.length, ...weights }
}

/** Scores all matches, exactly as `findMatches` does, without reading postings again. */
export function completeAll (matches: RareMatches): Matches {
  const { input: { plan }, corpus, docs, scores, matchedTerms, commonTerms, excluded, weights } = matches
  const scoring = new Scoring(corpus)
  const { totals } = scoring
  totals.restore(docs, scores, matchedTerms)
  for (const term of commonTerms) scoring.addCommonTerm(term)
  if (excluded !== undefined) for (let doc = 0; doc < excluded.length; doc++) if (excluded[doc] === 1) totals.scores[doc] = 0
  const completed = { corpus, ...weights, ...collectMatches(totals, corpus.total, plan.terms.length) }
  totals.clear(corpus.total)
  return completed
}

/** The scores of the documents as far as they are known; 0 for those that are excluded. */
function knownScores ({ docs, scores, excluded }: RareMatches, added: Float32Array | undefined): Float32Array {
  const known = scores.slice()
  if (added !== undefined) for (let index = 0; index < docs.length; index++) known[index]! += added[docs[index]!]!
  if (excluded !== undefined) for (let index = 0; index < docs.length; index++) if (excluded[docs[index]!] === 1) known[index] = 0
  return known
}

/** Steps between 0 and the highest score. */
const steps = 4096

/** A score that at least this many documents reach, close to the highest such score; undefined if no more than so many have a score. */
function scoreOfBest (scores: Float32Array, places: number): number | undefined {
  let highest = 0
  for (let index = 0; index < scores.length; index++) if (scores[index]! > highest) highest = scores[index]!
  const counts = new Uint32Array(steps + 1)
  const scale = steps / highest
  for (let index = 0; index < scores.length; index++) if (scores[index] !== 0) counts[scores[index]! * scale >>> 0]!++
  let [reached, threshold] = [0, undefined as number | undefined]
  for (let step = steps; step >= 0; step--) {
    reached += counts[step]!
    if (reached >= places) threshold ??= step / scale
  }
  return reached > places ? threshold : undefined
}

/** Documents without a rare term to which an expansion adds at least this much. */
function listRaised ({ docs, excluded }: RareMatches, added: Float32Array, least: number): number[] {
  const raised: number[] = []
  for (let doc = 0; doc < added.length; doc++) if (added[doc]! >= least && excluded?.[doc] !== 1) raised.push(doc)
  if (raised.length === 0) return raised
  const isFound = new Uint8Array(added.length)
  for (let index = 0; index < docs.length; index++) isFound[docs[index]!] = 1
  return raised.filter(doc => isFound[doc] === 0)
}
