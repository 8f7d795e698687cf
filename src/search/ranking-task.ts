import { LRUCache } from 'lru-cache'
import { chooseExpansion, countEntries, minFeedbackTerms, selectFeedback } from './feedback.js'
import { Corpus } from './corpus.js'
import { planQuery, type QueryPlan } from './query-plan.js'
import type { Matches } from './matches.js'
import { addExpansion, findMatches, type NumberFilter, type Page, selectItems } from './ranking.js'
import { cachedPart, cachePart, evictReplaced, type Part } from './segment-cache.js'
import { loadSegments, type EntryLookup } from './segment-reader.js'
import type { FeedbackText, PartKey, SegmentRow } from './storage.js'

/** A search, ready to run in a thread that has no database. */
export interface RankingRequest {
  /** Identifies the search, so that its steps and pages rank once. */
  searchId: string
  projectId: string
  terms: readonly string[]
  segments: readonly SegmentRow[]
  tombstones: readonly number[]
  filters: readonly NumberFilter[]
  page: Page
  /** The texts of the best matches, once the thread has asked for them. */
  feedback?: readonly FeedbackText[] | undefined
  /** Parts that an earlier attempt missed. */
  parts: ReadonlyArray<PartKey & { bytes: Uint8Array }>
}

/**
 * The items of the page by their UUIDs, one after the other, and for each whether it has all terms; or what to read first: parts of
 * segments, or the texts of items.
 */
export type RankingAnswer = { ids: string, hasAllTerms: Uint8Array } | { missing: PartKey[] } | { feedbackIds: string[] }

/** Searches between their steps and pages. */
const searches = new LRUCache<string, { matches: Matches, isExpanded: boolean }>({ max: 4 })

/** Runs a search over the parts that are in memory or that come with it. */
export function runRanking (request: RankingRequest): RankingAnswer {
  const { searchId, projectId, terms, segments, tombstones, filters, page, feedback, parts } = request
  evictReplaced(projectId, segments.map(({ id }) => id))
  // The cache may be too small for all of them.
  const given = new Map<string, Part>()
  for (const { segmentId, part, bytes } of parts) {
    given.set(`${segmentId} ${part}`, cachedPart(segmentId, part) ?? cachePart(segmentId, part, bytes))
  }
  const load = (entries: EntryLookup) =>
    loadSegments(segments, entries, (segmentId, part) => given.get(`${segmentId} ${part}`) ?? cachedPart(segmentId, part))

  const plan = planQuery(terms)
  let search = searches.get(searchId)
  if (search === undefined) {
    const loaded = load(entriesOf(plan))
    if ('missing' in loaded) return loaded
    search = { matches: findMatches({ plan, segments: loaded.segments, tombstones }), isExpanded: plan.terms.length < minFeedbackTerms }
    searches.set(searchId, search)
  }
  if (!search.isExpanded) {
    const documents = selectFeedback(search.matches)
    if (documents.length > 0) {
      if (feedback === undefined) return { feedbackIds: documents.map(({ id }) => id) }
      const counts = countEntries(documents, feedback, search.matches.corpus.averageLength)
      const loaded = load({ words: [...counts.keys()] })
      if ('missing' in loaded) return loaded
      search.matches = addExpansion(search.matches, chooseExpansion(new Corpus(loaded.segments), counts, search.matches.queryWeight))
    }
    search.isExpanded = true
  }
  const items = selectItems(search.matches, filters, page)
  return { ids: items.map(({ id }) => id).join(''), hasAllTerms: Uint8Array.from(items, ({ hasAllTerms }) => Number(hasAllTerms)) }
}

function entriesOf (plan: QueryPlan): Required<EntryLookup> {
  const [prefixes, words] = [new Set<string>(), new Set([plan.identifier])]
  for (const { prefixes: some, isWholeWord = false } of plan.terms.flat()) {
    for (const prefix of some) (isWholeWord ? words : prefixes).add(prefix)
  }
  return { prefixes: [...prefixes], words: [...words] }
}
