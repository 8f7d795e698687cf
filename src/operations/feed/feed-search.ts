import { listItems } from '../../../db/queries/feed.js'
import { ownsProject } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedSearchInput, FeedSearchResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { formatQuery } from '../../search/query.js'
import { searchFeed } from '../../search/search.js'
import { findIdentified, pageOf, wordsOf } from '../../papers/identified-items.js'
import { operation } from '../operation.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { readFeedFilter } from '../../papers/feed-filter.js'
import { itemsOf } from '../../papers/brief.js'

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
    const words = wordsOf(q)
    const { projectId, ...filter } = readFeedFilter(selection, now())
    const search = async () => {
      const page = await searchFeed(searchStorage(db), { accountId: account.id, projectId }, { ...words, ...filter }, { limit, offset })
      if (page === undefined) throw new ProjectNotFound(projectId)
      return { ids: page.items.map(({ id }) => id), hasMore: page.hasMore, hasAllTerms: page.hasAllTerms }
    }
    if (!await ownsProject(db, account.id, projectId)) throw new ProjectNotFound(projectId)
    const identified = await findIdentified(context, q, { ...filter, projectIds: [projectId] })
    const page = identified === undefined ? await search() : pageOf(identified, { limit, offset })
    const items = await listItems(db, account.id, page.ids)
    return { items: itemsOf(items, detail), limit, offset, has_more: page.hasMore, query: formatQuery(words.terms, page.hasAllTerms) }
  }
})
