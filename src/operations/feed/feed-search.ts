import { listItems } from '../../../db/queries/feed.js'
import { FeedSearchInput, FeedSearchResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { operation } from '../operation.js'
import { readFeedFilter } from '../../papers/feed-filter.js'
import { itemsOf } from '../../papers/brief.js'
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
    const { db, account, now } = context
    const { projectId, ...filter } = readFeedFilter(selection, now())
    const { items, hasMore, query } = await searchProject(
      context, { projectId, q, filter, limit, offset }, async (ids, index) => await listItems(db, account.id, ids, { index }))
    return { items: itemsOf(items, detail), limit, offset, has_more: hasMore, query }
  }
})
