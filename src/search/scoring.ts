import { frequencies, idf, lengthNorm } from './bm25.js'
import type { Corpus } from './corpus.js'
import type { EntryPattern, QueryPlan } from './query-plan.js'
import type { Documents } from './segment.js'
import { TermScorer } from './term-scorer.js'
import { Totals, wideShare } from './totals.js'
import {
  exactBit, exactShift, keepTermDocuments, knownTermDocuments, minWideShare, type TermDocuments, widened, type WideTermDocuments
} from './wide-terms.js'

/** A term that many documents have. */
export interface CommonTerm {
  /** Its idf, which no score of it reaches. */
  rarity: number
  /** Its documents in each segment. */
  lists: readonly WideTermDocuments[]
}

/** Lists of common terms that a query holds at a time. Rare terms seldom outweigh more of them. */
const maxCommonTerms = 16

/** Scores the documents of a corpus by the terms of one query. */
export class Scoring {
  readonly totals: Totals
  readonly #corpus: Corpus
  readonly #scorer: TermScorer

  /** Starts with empty totals, of which there is one for all queries: the query clears them at its end. */
  constructor (corpus: Corpus) {
    const { total, bases } = corpus
    const { scorer, totals } = workspaceFor(total)
    const segments = lengthNormsOf(corpus).map((lengthNorms, index) => ({ base: bases[index]!, lengthNorms }))
    scorer.begin({ total, frequencies, segments })
    this.#corpus = corpus
    this.#scorer = scorer
    this.totals = totals
  }

  /** Adds the terms of a query that few documents have. @returns the idf of all terms, and the others, to be added after them */
  addRareTerms ({ terms }: QueryPlan): { termWeights: number[], common: CommonTerm[] } {
    const common: CommonTerm[] = []
    const termWeights = terms.map(term => {
      const added = this.#addRareTerm(term)
      if (typeof added === 'number') return added
      if (common.length === maxCommonTerms) {
        this.addCommonTerm(added)
        return added.rarity
      }
      common.push(added)
      return added.rarity
    })
    return { termWeights, common }
  }

  addCommonTerm ({ rarity, lists }: CommonTerm): void {
    this.#scorer.addListed(lists, rarity, this.totals)
  }

  /** Scores some documents by one term alone. @returns the term's idf, and the score of each document */
  scoreDocuments (term: readonly EntryPattern[], docs: Uint32Array): { weight: number, scores: Float32Array } {
    const added = this.#addRareTerm(term)
    if (typeof added === 'number') {
      const scores = Float32Array.from(docs, doc => this.totals.scores[doc]!)
      this.totals.clear(this.#corpus.total)
      return { weight: added, scores }
    }
    const scores = new Float32Array(docs.length)
    addCommonTerms(this.#corpus, [added], { docs, scores, matchedTerms: new Uint8Array(docs.length) })
    return { weight: added.rarity, scores }
  }

  /** @returns the idf of a term that it added, or the term */
  #addRareTerm (term: readonly EntryPattern[]): number | CommonTerm {
    const { total, segments } = this.#corpus
    const patterns = term.map(pattern => this.#choosePattern(pattern))
    if (patterns.length > 1) return this.#scorer.addTerm(patterns.map(pattern => this.#corpus.findPostings(pattern)), this.totals)
    const lists = segments.map((_segment, index) => this.#listDocuments(index, patterns[0]!))
    const documentFrequency = lists.reduce((sum, list) => sum + ('codes' in list ? list.count : list.ordinals.length), 0)
    const rarity = idf(total, documentFrequency)
    if (documentFrequency > total * minWideShare) {
      const wide = lists.map((list, index) => 'codes' in list ? list : widened(list, segments[index]!.documents.count))
      if (wide.every(list => list !== undefined)) return { rarity, lists: wide as WideTermDocuments[] }
    }
    this.#scorer.addListed(lists, rarity, this.totals)
    return rarity
  }

  #choosePattern (pattern: EntryPattern): EntryPattern {
    const { preferred } = pattern
    return preferred !== undefined && this.#corpus.findPostings(preferred).length > 0 ? preferred : pattern
  }

  /** The documents of a segment that match a pattern, until the next list of the segment. */
  #listDocuments (index: number, pattern: EntryPattern): TermDocuments | WideTermDocuments {
    const { documents } = this.#corpus.segments[index]!
    const { word } = pattern
    const known = word === undefined ? undefined : knownTermDocuments(documents, word)
    if (known !== undefined) return known
    const list = this.#scorer.list(this.#corpus.findPostingsIn(index, pattern), this.#corpus.bases[index]!, documents.count)
    return (word === undefined ? undefined : keepTermDocuments(documents, word, list, wideShare)) ?? list
  }
}

/** Some documents, with their scores and how many terms each has. */
interface ScoredDocs { docs: Uint32Array, scores: Float32Array, matchedTerms: Uint8Array }

/** Adds common terms to some documents alone, as `addCommonTerm` does to all. */
export function addCommonTerms (corpus: Corpus, commonTerms: readonly CommonTerm[], { docs, scores, matchedTerms }: ScoredDocs): void {
  const lengthNorms = lengthNormsOf(corpus)
  const [segments, ordinals] = [new Uint32Array(docs.length), new Uint32Array(docs.length)]
  for (let index = 0; index < docs.length; index++) {
    const { segment, docOrdinal } = corpus.locate(docs[index]!)
    segments[index] = segment
    ordinals[index] = docOrdinal
  }
  for (const { rarity, lists } of commonTerms) {
    for (let index = 0; index < docs.length; index++) {
      const segment = segments[index]!
      const { codes, frequencies } = lists[segment]!
      const code = codes[ordinals[index]!]!
      if (code === 0) continue
      const frequency = frequencies[code & ~exactBit]!
      scores[index]! += rarity * Math.fround(frequency / (frequency + lengthNorms[segment]![ordinals[index]!]!))
      matchedTerms[index]! += code >>> exactShift
    }
  }
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

/**
 * For each document of each segment the term frequency at which a term's score reaches half of its maximum. Remembered while the average
 * length stays.
 */
const norms = new WeakMap<Documents, { averageLength: number, lengthNorms: Float32Array }>()

export const lengthNormsOf = ({ segments, averageLength }: Corpus): Float32Array[] => segments.map(({ documents }) => {
  const known = norms.get(documents)
  if (known?.averageLength === averageLength) return known.lengthNorms
  const { lengths, count } = documents
  const lengthNorms = new Float32Array(count)
  for (let docOrdinal = 0; docOrdinal < count; docOrdinal++) lengthNorms[docOrdinal] = lengthNorm(lengths[docOrdinal]!, averageLength)
  norms.set(documents, { averageLength, lengthNorms })
  return lengthNorms
})
