import { readFilters, type SearchFilter } from './filters.js'
import { indexPending } from './indexing.js'
import { type NameFilter, namesPartsOf } from './names.js'
import { findNamesOffThread, rankOffThread, type Ranking } from './ranker.js'
import type { Page, RankedItem } from './ranking.js'
import { SegmentReplaced } from './segment-reader.js'
import type { FeedScope, IndexState, PaperFilter, SearchStorage } from './storage.js'

/** A query over a whole feed. */
export interface SearchQuery extends SearchFilter {
  /** The distinct words of the query, as `tokenize` makes them; at least one. */
  terms: readonly string[]
}

/** One page of results. */
export interface SearchPage {
  items: RankedItem[]
  hasMore: boolean
  /** Whether every item of the page has every term. */
  hasAllTerms: boolean
}

/**
 * Searches a whole feed and gives one page. Full matches come first, then partial ones, each ordered by rank, newest, id. Includes
 * all changes committed before the call.
 * @returns undefined if the account has no such project
 * @see requirements spec:4.1-rule-2 to spec:4.1-rule-4; docs/search.md
 */
export async function searchFeed (
  storage: SearchStorage,
  feed: FeedScope,
  query: SearchQuery,
  { limit, offset }: Page
): Promise<SearchPage | undefined> {
  const ranked = await rankPage(storage, feed, query, { limit: limit + 1, offset })
  if (ranked === undefined) return undefined
  const items = ranked.slice(0, limit)
  return { items, hasMore: ranked.length > limit, hasAllTerms: items.every(({ hasAllTerms }) => hasAllTerms) }
}

/**
 * Searches a whole feed and gives the ids of every item with all terms, best first; if none has all, of every item with some.
 * @returns undefined if the account has no such project
 */
export async function searchWholeFeed (storage: SearchStorage, feed: FeedScope, query: SearchQuery): Promise<string[] | undefined> {
  const ranked = await rankPage(storage, feed, query, { limit: Infinity, offset: 0 })
  if (ranked === undefined) return undefined
  const found = ranked[0]?.hasAllTerms === true ? ranked.filter(({ hasAllTerms }) => hasAllTerms) : ranked
  return found.map(({ id }) => id)
}

/** How often a search starts again because compaction replaced segments that it was reading. */
const maxAttempts = 20

const rankPage = (storage: SearchStorage, feed: FeedScope, query: SearchQuery, page: Page): Promise<RankedItem[] | undefined> =>
  retryReplaced(async () => {
    const state = await readCurrentIndex(storage, feed)
    if (state === undefined) return undefined
    const { filters, unlisted } = await readFilters(storage, feed, query)
    const { since, until, papers } = query
    const { names, others } = namesPartsOf(state.segments) === undefined ? { others: papers } : splitNames(papers)
    const { segments, tombstones } = state
    const ranking = rankOffThread(storage, feed, { terms: query.terms, segments, tombstones, filters, names })
    const filter = { ...unlisted, since, until, papers: others }
    if (Object.values(filter).every(each => each === undefined)) return await ranking(page)
    return await filterRanking(ranking, page, async itemIds => await storage.filterItems(feed, itemIds, filter))
  })

/** Runs a search again from the list of segments when compaction replaced some of them. */
async function retryReplaced<T> (run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof SegmentReplaced) || attempt === maxAttempts) throw error
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
  retryReplaced(async () => {
    const state = await readCurrentIndex(storage, feed)
    if (state === undefined || namesPartsOf(state.segments) === undefined) return undefined
    return await findNamesOffThread(storage, feed, { segments: state.segments, tombstones: state.tombstones, names })
  })

/** Reads the index after indexing what is pending; as it is while the database takes no writes. */
async function readCurrentIndex (storage: SearchStorage, feed: FeedScope): Promise<IndexState | undefined> {
  let state = await storage.readIndex(feed)
  if (state?.hasPending === true) {
    await storage.writeIfWritable(indexPending(storage, feed.projectId))
    state = await storage.readIndex(feed)
  }
  return state
}

/** Pieces of a ranking that are filtered at a time, each so many times larger than the one before. */
const firstBatchSize = 200
const batchGrowth = 4

/** A page of the items that pass a filter: filters the ranking from its start until the page is full. */
async function filterRanking (
  ranking: Ranking,
  { limit, offset }: Page,
  filter: (itemIds: string[]) => Promise<string[]>
): Promise<RankedItem[]> {
  const passed: RankedItem[] = []
  for (let from = 0, piece = Math.max(firstBatchSize, offset + limit); ; from += piece, piece *= batchGrowth) {
    const ranked = await ranking({ limit: piece, offset: from })
    const passing = new Set(await filter(ranked.map(({ id }) => id)))
    passed.push(...ranked.filter(({ id }) => passing.has(id)))
    if (passed.length >= offset + limit || ranked.length < piece) return passed.slice(offset, offset + limit)
  }
}
