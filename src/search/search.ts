import type { FeedScope, PaperFilter } from '../../schemas/search-filter.js'
import type { SearchedIndex } from '../../schemas/search-index.js'
import { Unavailable } from '../errors/operation-errors.js'
import { untilAborted } from '../threads/until-aborted.js'
import { readFilters, type SearchFilter } from './filters.js'
import { indexPending } from './indexing.js'
import { rememberIndex, stableIndex } from './known-indexes.js'
import { type NameFilter, namesPartsOf } from './names.js'
import { findNamesOffThread, type ListedItem, rankedItems, type RankedList, type Ranking, rank } from './ranker.js'
import type { Comparison } from './ranking-task.js'
import type { Page } from './ranking.js'
import { SegmentReplaced } from './segment-reader.js'
import type { IndexState, SearchStorage } from './storage.js'

/** A query over a whole feed. */
export interface SearchQuery extends SearchFilter {
  /** The distinct words of the query, as `tokenize` makes them; at least one. */
  terms: readonly string[]
  /** The parts of each hyphenated name in the query, which is also found without its hyphens. */
  compounds?: ReadonlyArray<readonly string[]>
  /** Whether the query is an identifier. Items without some of its terms are left out. */
  onlyFull?: boolean
}

/** One page of results. */
export interface SearchPage {
  items: ListedItem[]
  hasMore: boolean
  /** Whether every item of the page has every term. */
  hasAllTerms: boolean
  /** How many papers the feed has, and the idf of each term there; only of a search with shares. */
  index?: Pick<Comparison, 'total' | 'termWeights'> | undefined
}

/**
 * Searches a whole feed and gives one page. Full matches come first, then partial ones, each ordered by rank, newest, id. Includes
 * all changes committed before the call.
 * @param options.withShares whether items of several feeds are compared: each then has its shares of the terms
 * @param options.known searches this index of the account's project, which the caller then compares with the present one
 * @returns undefined if the account has no such project
 * @throws SegmentReplaced only of a known index; Unavailable while many papers are being indexed
 * @see requirements spec:4.1-rule-2 to spec:4.1-rule-4; docs/search.md
 */
export async function searchFeed (
  storage: SearchStorage,
  feed: FeedScope,
  query: SearchQuery,
  { limit, offset }: Page,
  { withShares, known }: { withShares?: boolean | undefined, known?: IndexState | undefined } = {}
): Promise<SearchPage | undefined> {
  const page = { limit: limit + 1, offset }
  let index: SearchPage['index']
  const tryToRank = ({ maxListed, maxFiltered }: typeof firstTry) =>
    withRanking(storage, feed, { ...query, withShares, known }, maxListed, async (ranking, filter) => {
      const noting: Ranking = async page => {
        const list = await ranking(page)
        index = list.comparison
        return list
      }
      if (filter === undefined) return rankedItems(await noting(page))
      return await filterRanking(noting, page, filter, filter.hasGroups ? maxFiltered : Infinity)
    })
  // Undefined for a page that is not full, and without the project, which the last try finds missing, too.
  const ranked = await tryToRank(firstTry) ?? await tryToRank(lastTry)
  if (ranked === undefined) return undefined
  const wanted = query.onlyFull === true ? ranked.filter(({ hasAllTerms }) => hasAllTerms) : ranked
  const items = wanted.slice(0, limit)
  return { items, hasMore: wanted.length > limit, hasAllTerms: items.every(({ hasAllTerms }) => hasAllTerms), index }
}

/** Reads items of an account by their ids, each with whether an index is current if one is given. */
export type ItemReader<Item extends { is_current?: boolean }> = (itemIds: string[], index?: SearchedIndex) => Promise<Item[]>

/**
 * Searches a whole feed and reads the items of one page. If the index of the project has not changed lately, the search takes it as it was,
 * and the statement that reads the items checks that it is still current: for a rare word, a statement more would take a good part of the
 * time.
 * @returns undefined if the account has no such project
 */
export async function searchItems<Item extends { is_current?: boolean }> (
  storage: SearchStorage,
  feed: FeedScope,
  query: SearchQuery,
  page: Page,
  read: ItemReader<Item>
): Promise<SearchPage & { found: Item[] } | undefined> {
  const search = async (known?: IndexState) => {
    const results = await searchFeed(storage, feed, query, page, { known })
    if (results === undefined) return undefined
    const index = known && { projectId: feed.projectId, segmentIds: known.segments.map(({ id }) => id) }
    return { ...results, found: await read(results.items.map(({ id }) => id), index) }
  }
  const known = stableIndex(feed)
  if (known !== undefined) {
    const results = await search(known).catch(error => { if (!(error instanceof SegmentReplaced)) throw error })
    if (results?.found[0]?.is_current === true) return results
  }
  return await search()
}

/**
 * Items of a group that are listed, and best matches that are filtered by larger groups. Listing an item takes as long as filtering one.
 * Where a large group has few of the best matches, the last try lists it after all.
 */
const firstTry = { maxListed: 2000, maxFiltered: 5000 }
const lastTry = { maxListed: 50_000, maxFiltered: Infinity }

/** Ids that are made when they are read. */
export type IdList = Pick<readonly string[], 'length' | 'slice'>

/**
 * Searches a whole feed and gives the ids of every item with all terms, best first; if none has all, of every item with some, unless
 * only full matches are wanted.
 * @returns undefined if the account has no such project
 */
export const searchWholeFeed = (storage: SearchStorage, feed: FeedScope, query: SearchQuery): Promise<IdList | undefined> =>
  withRanking<IdList>(storage, feed, query, lastTry.maxListed, async (ranking, filter) => {
    const list = await ranking({ limit: Infinity, offset: 0 })
    const { length } = list.hasAllTerms
    const firstPartial = list.hasAllTerms.indexOf(0)
    const full = firstPartial < 0 ? length : firstPartial
    const isFull = full > 0 || query.onlyFull === true
    if (filter === undefined) return idsOf(list, isFull ? full : length)
    const passed = await filterList(list, filter, 0, full)
    return (passed.length > 0 || query.onlyFull === true ? passed : await filterList(list, filter, full)).map(({ id }) => id)
  })

/** The ids of the first items of a list. */
const idsOf = (list: RankedList, length: number): IdList =>
  ({ length, slice: (from = 0, to = length) => rankedItems(list, from, Math.min(to, length)).map(({ id }) => id) })

/** How often a search starts again because compaction replaced segments that it was reading. */
const maxAttempts = 20

/** A filter that the index cannot answer. */
interface Filter {
  /** Whether it has groups, which a try with a higher limit may list. */
  hasGroups: boolean
  /** Those of these items that pass. */
  pass: (itemIds: string[]) => Promise<string[]>
}

/** Ranks a feed and passes the ranking on. @returns undefined if the account has no such project */
async function withRanking<T> (
  storage: SearchStorage,
  feed: FeedScope,
  query: SearchQuery & { withShares?: boolean | undefined, known?: IndexState | undefined },
  maxListed: number,
  read: (ranking: Ranking, filter: Filter | undefined) => Promise<T>
): Promise<T | undefined> {
  const { known } = query
  return await retryReplaced(known === undefined ? maxAttempts : 1, async () => {
    const state = known ?? await readCurrentIndex(storage, feed)
    if (state === undefined) return undefined
    const { filters, unlisted } = await readFilters(storage, feed, query, maxListed)
    const { terms, compounds, onlyFull, since, until, asOf, papers, withShares } = query
    const { names, others } = namesPartsOf(state.segments) === undefined ? { others: papers } : splitNames(papers)
    const ranking = rank(storage, feed, {
      terms, compounds, isIdentifier: onlyFull, segments: state.segments, filters, names, withShares, asOf: asOf?.getTime()
    })
    const hasGroups = unlisted.length > 0
    if (!hasGroups && [since, until, others].every(each => each === undefined)) return await read(ranking, undefined)
    const filter = { groups: unlisted, since, until, papers: others }
    return await read(ranking, { hasGroups, pass: async itemIds => await storage.filterItems(feed, itemIds, filter) })
  })
}

/** Runs a search again from the list of segments when compaction replaced some of them. */
async function retryReplaced<T> (attempts: number, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof SegmentReplaced) || attempt === attempts) throw error
    }
  }
}

/** Takes names out of a filter. */
function splitNames (papers: PaperFilter | undefined): { names?: NameFilter, others: PaperFilter | undefined } {
  if (papers?.venue === undefined && papers?.author === undefined) return { others: papers }
  const { venue, author, ...others } = papers
  return { names: { venue, author }, others: Object.values(others).every(each => each === undefined) ? undefined : others }
}

/**
 * Finds all items of a feed with a part of a venue's or an author's name, without reading papers. Includes all changes committed before.
 * @returns their ids, separated by commas; undefined if the account has no such project, or the index has no names
 */
export const findByNames = (
  storage: SearchStorage,
  feed: FeedScope,
  names: NameFilter
): Promise<{ ids: string, count: number } | undefined> =>
  retryReplaced(maxAttempts, async () => {
    const state = await readCurrentIndex(storage, feed)
    if (state === undefined || namesPartsOf(state.segments) === undefined) return undefined
    return await findNamesOffThread(storage, feed, { segments: state.segments, names })
  })

/** Time that a search waits for pending papers. After some upgrades, all papers of a feed are pending, which takes minutes. */
const maxIndexingMs = 30_000

/**
 * Indexes what is pending, then reads the index. While the database takes no writes, nothing is indexed.
 * @throws Unavailable if indexing takes long; it continues
 */
async function readCurrentIndex (storage: SearchStorage, feed: FeedScope): Promise<IndexState | undefined> {
  let state = await storage.readIndex(feed)
  if (state?.hasPending === true) {
    const timeout = AbortSignal.timeout(maxIndexingMs)
    try {
      await untilAborted(() => storage.writeIfWritable(indexPending(storage, feed.projectId)), timeout)
    } catch (cause) {
      throw cause === timeout.reason ? new Unavailable('Papers are being indexed for search.', { seconds: 60 }) : cause
    }
    state = await storage.readIndex(feed)
  }
  rememberIndex(feed, state)
  return state
}

/** Pieces of a ranking that are filtered at a time, each so many times larger than the one before. */
const firstBatchSize = 200
const batchGrowth = 4

/**
 * A page of the items that pass a filter: filters the ranking from its start until the page is full.
 * @returns undefined if it would have to filter more than `maxFiltered` items
 */
async function filterRanking (
  ranking: Ranking,
  { limit, offset }: Page,
  filter: Filter,
  maxFiltered: number
): Promise<ListedItem[] | undefined> {
  const passed: ListedItem[] = []
  for (let from = 0, piece = Math.max(firstBatchSize, offset + limit); from + piece <= maxFiltered; from += piece, piece *= batchGrowth) {
    const list = await ranking({ limit: piece, offset: from })
    for (const item of await filterList(list, filter)) passed.push(item)
    if (passed.length >= offset + limit || list.hasAllTerms.length < piece) return passed.slice(offset, offset + limit)
  }
  return undefined
}

/** Items that one statement filters. */
const filteredPerStatement = 2000

/** The items of a part of a list that pass a filter. */
async function filterList (list: RankedList, filter: Filter, from = 0, to = list.hasAllTerms.length): Promise<ListedItem[]> {
  const passed: ListedItem[] = []
  for (let at = from; at < to; at += filteredPerStatement) {
    const items = rankedItems(list, at, Math.min(at + filteredPerStatement, to))
    const passing = new Set(await filter.pass(items.map(({ id }) => id)))
    for (const item of items) if (passing.has(item.id)) passed.push(item)
  }
  return passed
}
