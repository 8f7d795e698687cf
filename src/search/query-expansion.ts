import { frequencies, idf, lengthNorm } from './bm25.js'
import type { Corpus } from './corpus.js'
import { indexDocument } from './document.js'
import type { Matches } from './matches.js'
import { wholeWord } from './query-plan.js'
import type { ItemText } from './storage.js'
import type { Postings } from './term-scorer.js'
import { selectPage } from './top-documents.js'

/*
 * Pseudo-relevance feedback (Rocchio): the words that distinguish the best matches of a first pass raise other matches that share them.
 * docs/quality.md lists how the constants were chosen.
 */

/** Queries with fewer terms say too little about what the best matches have in common. */
export const minExpandedTerms = 3
/** Best matches whose words raise others. */
export const maxExpansionDocuments = 10
/** A document counts as the ratio of its score to the best, to this power: one match that stands out keeps its lead. */
const scorePower = 4
/** Entries whose rarity is looked up. */
const maxCandidates = 150
const expansionEntries = 20
/** The weight of all expansion entries relative to that of all terms of the query. */
const expansionShare = 0.5
const minEntryLength = 3
/** A word of more documents than this share distinguishes nothing. */
const maxDocumentShare = 0.5

/** A match of the first pass, by its item's UUID; `weight` is at most 1. */
export interface ExpansionDocument { id: string, weight: number }

/** Words to add to a query, with their postings. */
export type Expansion = ReadonlyArray<{ postings: readonly Postings[], weight: number }>

/** The best matches; none if there are so few matches that all would be among them. */
export function selectExpansionDocuments ({ corpus, docs, hasAllTerms, scores, count }: Matches): ExpansionDocument[] {
  if (count <= maxExpansionDocuments) return []
  const best = selectPage(
    { docs, groups: hasAllTerms, scores, readyAt: doc => corpus.readyAt(doc), id: doc => corpus.id(doc) },
    { limit: maxExpansionDocuments, offset: 0 }
  )
  const highest = Math.max(...best.map(({ score }) => score))
  return highest > 0 ? best.map(({ id, score }) => ({ id, weight: (score / highest) ** scorePower })) : []
}

/** The entries that are most frequent in the expansion documents, each with its mean frequency there, up to a factor. */
export function countEntries (
  documents: readonly ExpansionDocument[],
  texts: readonly ItemText[],
  averageLength: number
): Map<string, number> {
  const weights = new Map(documents.map(({ id, weight }) => [id, weight]))
  const counts = new Map<string, number>()
  for (const { itemId, title, abstract, summary } of texts) {
    const weight = weights.get(itemId) ?? 0
    const { entries, length } = indexDocument({ title, abstract, summary, authors: [], identifiers: [] })
    const norm = lengthNorm(length, averageLength)
    for (const [entry, packed] of entries) {
      if (entry.length < minEntryLength || /^\d+$/.test(entry)) continue
      const frequency = frequencies[packed]!
      counts.set(entry, (counts.get(entry) ?? 0) + weight * frequency / (frequency + norm))
    }
  }
  return new Map([...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, maxCandidates))
}

/** Chooses the rarest and most frequent of these entries. @param queryWeight the sum of the terms' idf */
export function chooseExpansion (corpus: Corpus, counts: ReadonlyMap<string, number>, queryWeight: number): Expansion {
  const chosen = [...counts].flatMap(([entry, count]) => {
    const postings = corpus.findPostings(wholeWord(entry))
    const documentFrequency = postings.reduce((sum, { block, from }) => sum + block.counts[from]!, 0)
    if (documentFrequency < 2 || documentFrequency > corpus.total * maxDocumentShare) return []
    return [{ postings, weight: count * idf(corpus.total, documentFrequency) }]
  }).sort((one, other) => other.weight - one.weight).slice(0, expansionEntries)
  const scale = expansionShare * queryWeight / chosen.reduce((sum, { weight }) => sum + weight, 0)
  return chosen.map(({ postings, weight }) => ({ postings, weight: weight * scale }))
}
