import pLimit from 'p-limit'
import type { Caller } from '../../../db/caller.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { mergePages } from '../../search/merge-pages.js'
import { searchFeed, type SearchQuery } from '../../search/search.js'
import { searchConcurrency } from './filter.js'

/** Places of a search over several feeds that can be reached; no page follows them. */
export const maxSearchOffset = 1000

/**
 * Searches each feed, and merges the rankings by what items of several feeds have in common.
 * @param options.dropUnrelated whether feeds without full matches whose best item is far below that of all feeds give none
 */
export async function searchFeeds (
  { db, account }: Caller,
  projects: ReadonlyArray<{ id: string }>,
  query: SearchQuery,
  { limit, offset }: { limit: number, offset: number },
  options: { dropUnrelated?: boolean } = {}
) {
  const end = Math.min(offset + limit + 1, maxSearchOffset)
  const limitConcurrency = pLimit(searchConcurrency)
  const search = async (projectId: string) =>
    await searchFeed(searchStorage(db), { accountId: account.id, projectId }, query, { limit: end, offset: 0 }, { withShares: true })
  const pages = await Promise.all(projects.map(({ id }) => limitConcurrency(async () => await search(id))))
  const ranked = mergePages(pages.filter(page => page !== undefined), { ...options, limit: end })
  const items = ranked.slice(offset, offset + limit)
  return {
    ids: items.map(({ id }) => id),
    hasMore: ranked.length > offset + limit,
    hasAllTerms: items.every(({ hasAllTerms }) => hasAllTerms)
  }
}
