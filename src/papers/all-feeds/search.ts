import pLimit from 'p-limit'
import type { Db } from '../../../db/connection.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { type SearchPage, searchFeed, type SearchQuery } from '../../search/search.js'
import { searchConcurrency } from './filter.js'

/** Places of a search over several feeds that can be reached; no page follows them. */
export const maxSearchOffset = 1000

/**
 * Searches each feed, and merges the rankings: items with every term first, and among them the first of each feed, then the second of each.
 */
export async function searchFeeds (
  { db, account }: { db: Db, account: { id: string } },
  projects: ReadonlyArray<{ id: string }>,
  query: SearchQuery,
  { limit, offset }: { limit: number, offset: number }
) {
  const end = Math.min(offset + limit + 1, maxSearchOffset)
  const limitConcurrency = pLimit(searchConcurrency)
  const pages = await Promise.all(projects.map(({ id }) => limitConcurrency(async () =>
    await searchFeed(searchStorage(db), { accountId: account.id, projectId: id }, query, { limit: end, offset: 0 }))))
  const ranked = mergeRankings(pages.filter(page => page !== undefined)).slice(0, end)
  const items = ranked.slice(offset, offset + limit)
  return {
    ids: items.map(({ id }) => id),
    hasMore: ranked.length > offset + limit,
    hasAllTerms: items.every(({ hasAllTerms }) => hasAllTerms)
  }
}

const mergeRankings = (pages: readonly SearchPage[]) =>
  pages.flatMap(({ items }) => items.map((item, rank) => ({ ...item, rank })))
    .sort((a, b) => Number(b.hasAllTerms) - Number(a.hasAllTerms) || a.rank - b.rank)
