import { walkItems } from '../../../db/queries/feed.js'
import { FeedSearchInput, FeedSearchResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import type { SearchedIndex } from '../../../schemas/search-index.js'
import { collectItems } from '../collect-items.js'
import { operation } from '../operation.js'
import { readFeedFilter } from '../../papers/feed-filter.js'
import { itemReader } from '../../papers/brief.js'
import { searchProject } from '../../papers/project-search.js'

/**
 * Searches a whole feed, best match first.
 * @see requirements spec:4.1-rule-2 to spec:4.1-rule-5
 * @throws ProjectNotFound also if the project is another account's
 * @throws InvalidArguments if `since` or `until` cannot be read
 */
export const feedSearch = operation({
  name: 'feed_search',
  title: 'Search a project feed',
  description: [
    "Searches title, author, abstract, summary and identifiers of a project's whole feed, best match first. For the newest, use feed_get.",
    'Words match as prefixes; no operators. A DOI, PMID or arXiv id returns that paper alone. Items are as long as in feed_get.',
    'Example: {"project_id": "0b54c2ab-…", "q": "sleep spindles memory"}'
  ].join(' '),
  input: FeedSearchInput,
  output: FeedSearchResult,
  scope: 'read',
  async handler (context, { q, detail, limit = defaultLimit, offset = 0, ...selection }) {
    const { db, account, key, now } = context
    const { projectId, ...filter } = readFeedFilter(selection, now())
    const { extract, itemOf } = itemReader(detail)
    const read = async (ids: readonly string[], index?: SearchedIndex) => {
      let is_current = false
      const options = { index, extract, visibleProjectIds: key?.projectIds }
      const items = await collectItems(context, walkItems(db, account.id, ids, options), row => {
        is_current ||= row.is_current === true
        return itemOf(row)
      })
      return items.map(item => ({ item, is_current }))
    }
    const { items, hasMore, query } = await searchProject(context, { projectId, q, filter, limit, offset }, read)
    return { items: items.map(({ item }) => item), limit, offset, has_more: hasMore, query }
  }
})
