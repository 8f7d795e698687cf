import { LRUCache } from 'lru-cache'
import type { PartKey, SegmentRow } from '../../schemas/search-index.js'
import { findNames, maxNamedItems, type NameFilter, namesPartsOf } from './names.js'
import { completeAll, completeMatches, findRareMatches, type RareMatches } from './best-matches.js'
import { chooseExpansion, countEntries, maxExpansionDocuments, minExpandedTerms, selectExpansionDocuments } from './query-expansion.js'
import { Corpus } from './corpus.js'
import { planQuery, type QueryKind, type QueryPlan } from './query-plan.js'
import type { Matches } from './matches.js'
import {
  addExpansion, findMatches, type MatchInput, type NumberFilter, type Page, type RankedItem, selectItems, selectShared
} from './ranking.js'
import { cachedPart, cachePart, evictReplaced, type Part } from './segment-cache.js'
import { loadSegments, type EntryLookup } from './segment-reader.js'
import type { ItemText } from './storage.js'

/** A search, ready to run in a thread that has no database. */
export interface RankingRequest extends QueryKind {
  projectId: string
  terms: readonly string[]
  segments: readonly SegmentRow[]
  filters: readonly NumberFilter[]
  /** A filter by names, only if every segment has them. */
  names?: NameFilter | undefined
  /** Leaves out items that entered the feed later, in milliseconds since 1970. */
  asOf?: number | undefined
  page: Page
  /** Whether the answer states what items of several projects are compared by. */
  withShares?: boolean | undefined
  /** The texts of the best matches, once the thread has asked for them. */
  texts?: readonly ItemText[] | undefined
  /** Parts that an earlier attempt missed. */
  parts: ReadonlyArray<PartKey & { bytes: Uint8Array }>
}

/** A search for everything that a filter by names finds. */
export type NamesRequest = Pick<RankingRequest, 'projectId' | 'segments' | 'parts'> & { names: NameFilter }

/** The UUIDs of the items, separated by commas; or the parts to read first. */
export type NamesAnswer = { ids: string, count: number } | { missing: PartKey[] }

/**
 * The items of the page by their UUIDs, one after the other, and for each whether it has all terms; or what to read first: parts of
 * segments, or the texts of items.
 */
export type RankingAnswer =
  | { ids: string, hasAllTerms: Uint8Array, comparison?: Comparison }
  | { missing: PartKey[] }
  | { textIds: string[] }

/** Figures by which items of several projects are compared. */
export interface Comparison {
  /** Number of documents. */
  total: number
  /** The idf of each term in this project. */
  termWeights: readonly number[]
  /** The shares of each item, one item after the other. */
  shares: Float32Array
}

/** A search between its steps. */
interface Search {
  /** How many of the first places are known; undefined for all. */
  places: number | undefined
  matches: Matches
  /** What `matches` were chosen from, until they are expanded. */
  rare: RareMatches | undefined
  isExpanded: boolean
  named?: number[]
}

/** Searches between their steps, and between the pages that a client reads one after the other. */
const searches = new LRUCache<string, Search>({ max: 4 })

/** Two requests of one key have the same matches: segments never change. */
const keyOf = ({ projectId, terms, compounds, isIdentifier, segments, names, asOf }: RankingRequest): string =>
  JSON.stringify([projectId, terms, compounds, isIdentifier, segments.map(({ id }) => id), names, asOf])

/** Places of which the matches are found without the others: of the first pages, and of some more. A page asks for one more item. */
const bestPlaces = [101, 1001]

/** In how many of the first places a page is; undefined if it may be anywhere, as with a filter, which looks for its items farther down. */
const placesOf = ({ page: { limit, offset }, filters, names }: RankingRequest): number | undefined =>
  filters.length === 0 && names === undefined ? bestPlaces.find(places => offset + limit <= places) : undefined

type PartOf = (segmentId: string, part: number) => Part | undefined

/** Gives access to the parts that are in memory or that come with a request. */
function partsOf ({ projectId, segments, parts }: Pick<RankingRequest, 'projectId' | 'segments' | 'parts'>): PartOf {
  evictReplaced(projectId, segments.map(({ id }) => id))
  // The cache may be too small for all of them.
  const given = new Map<string, Part>()
  for (const { segmentId, part, bytes } of parts) {
    given.set(`${segmentId} ${part}`, cachedPart(segmentId, part) ?? cachePart(segmentId, part, bytes))
  }
  return (segmentId, part) => given.get(`${segmentId} ${part}`) ?? cachedPart(segmentId, part)
}

/** Runs a search over the parts that are in memory or that come with it. */
export function runRanking (request: RankingRequest): RankingAnswer {
  const { terms, segments, names, page, texts } = request
  const partOf = partsOf(request)
  const load = (entries: EntryLookup) => loadSegments(segments, entries, partOf)

  const plan = planQuery(terms, request)
  const places = placesOf(request)
  const key = keyOf(request)
  let search = searches.get(key)
  if (search === undefined || (search.places !== undefined && (places === undefined || places > search.places))) {
    const loaded = load(entriesOf(plan))
    if ('missing' in loaded) return loaded
    search = startSearch({ plan, ...loaded, asOf: request.asOf }, places)
    searches.set(key, search)
  }
  if (!search.isExpanded) {
    const { matches, rare } = search
    const documents = selectExpansionDocuments(matches)
    if (documents.length > 0) {
      if (texts === undefined) return { textIds: documents.map(({ id }) => id) }
      const counts = countEntries(documents, texts, matches.corpus.averageLength)
      const loaded = load({ words: [...counts.keys()] })
      if ('missing' in loaded) return loaded
      const expansion = chooseExpansion(new Corpus(loaded.segments), counts, matches.queryWeight)
      const best = rare && completeMatches(rare, search.places!, expansion)
      if (best === undefined) search.places = undefined
      search.matches = best ?? addExpansion(rare === undefined ? matches : completeAll(rare), expansion)
    }
    search.isExpanded = true
    search.rare = undefined
  }
  if (names !== undefined && search.named === undefined) {
    const found = findNumbers(segments, names, partOf)
    if ('missing' in found) return found
    search.named = found.numbers
  }
  const filters = search.named === undefined ? request.filters : [...request.filters, { numbers: search.named, keep: true }]
  if (request.withShares !== true) return answerOf(selectItems(search.matches, filters, page))
  const items = selectShared(plan, search.matches, filters, page)
  const shares = new Float32Array(items.length * plan.terms.length)
  for (const [at, item] of items.entries()) shares.set(item.shares, at * plan.terms.length)
  const { corpus: { total }, termWeights } = search.matches
  return { ...answerOf(items), comparison: { total, termWeights, shares } }
}

/** Finds the matches of a search, or those in the first places of its first pass. */
function startSearch (input: MatchInput, places: number | undefined): Search {
  const isExpanded = input.plan.terms.length < minExpandedTerms
  // A query of one word scores all its matches anyway.
  const rare = places === undefined || input.plan.terms.length < 2 ? undefined : findRareMatches(input)
  const best = rare && completeMatches(rare, isExpanded ? places! : maxExpansionDocuments)
  return best === undefined
    ? { places: undefined, matches: rare === undefined ? findMatches(input) : completeAll(rare), rare: undefined, isExpanded }
    : { places, matches: best, rare: isExpanded ? undefined : rare, isExpanded }
}

const answerOf = (items: readonly RankedItem[]) =>
  ({ ids: items.map(({ id }) => id).join(''), hasAllTerms: Uint8Array.from(items, ({ hasAllTerms }) => Number(hasAllTerms)) })

/** Finds all items of a filter by names; of more than `maxNamedItems`, only that they are more. */
export function runNames (request: NamesRequest): NamesAnswer {
  const { segments, names } = request
  const partOf = partsOf(request)
  const loaded = loadSegments(segments, { words: [] }, partOf)
  if ('missing' in loaded) return loaded
  const found = findNumbers(segments, names, partOf)
  if ('missing' in found) return found
  const corpus = new Corpus(loaded.segments)
  const isDeleted = new Uint8Array(corpus.total)
  for (const numbers of loaded.tombstones) corpus.visitNumbers(numbers, doc => { isDeleted[doc] = 1 })
  const ids: string[] = []
  corpus.visitNumbers(found.numbers, doc => { if (isDeleted[doc] === 0 && ids.length <= maxNamedItems) ids.push(corpus.hexId(doc)) })
  return { ids: ids.length > maxNamedItems ? '' : ids.join(','), count: ids.length }
}

/** Numbers of the documents that a filter by names finds. */
function findNumbers (segments: readonly SegmentRow[], names: NameFilter, partOf: PartOf): { numbers: number[] } | { missing: PartKey[] } {
  const keys = namesPartsOf(segments) ?? []
  const missing = keys.filter(({ segmentId, part }) => partOf(segmentId, part) === undefined)
  if (missing.length > 0) return { missing }
  return { numbers: keys.flatMap(({ segmentId, part }) => findNames(partOf(segmentId, part) as string, names)) }
}

function entriesOf (plan: QueryPlan): Required<EntryLookup> {
  const [prefixes, words] = [new Set<string>(), new Set([plan.identifier])]
  for (const { prefixes: some, isWholeWord = false } of plan.terms.flat()) {
    for (const prefix of some) (isWholeWord ? words : prefixes).add(prefix)
  }
  return { prefixes: [...prefixes], words: [...words] }
}
