import pLimit from 'p-limit'
import type { Caller } from '../../../db/caller.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { mergePages } from '../../search/merge-pages.js'
import type { RankedItem } from '../../search/ranking.js'
import { searchFeed, type SearchQuery } from '../../search/search.js'
import { searchConcurrency } from './filter.js'

/** Places of a search over several feeds that can be reached; no page follows them. */
export const maxSearchOffset = 1000
/**
 * Items that are first read of each feed, beyond its share of the page twice, and how many times as many are read of a feed that has more.
 * All that each of many feeds could contribute would take hundreds of megabytes.
 */
const [spareItems, growth] = [50, 4]

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
  const search = async (projectId: string, limit: number) =>
    await searchFeed(searchStorage(db), { accountId: account.id, projectId }, query, { limit, offset: 0 }, { withShares: true })
  const feeds = projects.map(({ id }) => ({ id, asked: 0, page: undefined as Awaited<ReturnType<typeof search>> }))
  let ranked: RankedItem[] = []
  let [due, asked] = [feeds, Math.min(Math.ceil(2 * end / feeds.length) + spareItems, end)]
  while (due.length > 0) {
    await Promise.all(due.map(feed => limitConcurrency(async () => Object.assign(feed, { asked, page: await search(feed.id, asked) }))))
    ranked = mergePages(feeds.flatMap(({ page }) => page ?? []), { ...options, limit: end })
    const merged = new Set(ranked.map(({ id }) => id))
    // A feed whose items were all merged may have more that belong among them.
    due = feeds.filter(({ asked, page }) => asked < end && page?.hasMore === true && merged.has(page.items.at(-1)!.id))
    asked = Math.min(growth * asked, end)
  }
  const items = ranked.slice(offset, offset + limit)
  return {
    ids: items.map(({ id }) => id),
    hasMore: ranked.length > offset + limit,
    hasAllTerms: items.every(({ hasAllTerms }) => hasAllTerms)
  }
}
