import type { Db } from '../../../db/connection.js'
import { type FeedFilter, type ItemDetails, listItems } from '../../../db/queries/feed.js'
import { resolveIdentifier } from '../../../db/queries/papers.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedSearchInput, FeedSearchResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { formatQuery, parseQuery } from '../../search/query.js'
import { searchFeed } from '../../search/search.js'
import { pastedIdentifier } from '../../papers/pasted-identifier.js'
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
    'Words match as prefixes; there are no operators. A DOI, PMID or arXiv id returns that paper alone.',
    'Example: {"project_id": "0b54c2ab-…", "q": "sleep spindles memory"}'
  ].join(' '),
  input: FeedSearchInput,
  output: FeedSearchResult,
  scope: 'read',
  async handler ({ db, account, now }, { q, detail, limit = defaultLimit, offset = 0, ...selection }) {
    const terms = parseQuery(q)
    const filter = readFeedFilter(selection, now())
    const exact = await findExact(db, filter, account.id, q)
    if (exact !== undefined) {
      return { items: itemsOf(exact.slice(offset), detail), limit, offset, has_more: false, query: formatQuery(terms, true) }
    }
    const feed = { accountId: account.id, projectId: filter.projectId }
    const page = await searchFeed(searchStorage(db), feed, { terms, ...filter }, { limit, offset })
    if (page === undefined) throw new ProjectNotFound(filter.projectId)
    const items = await listItems(db, account.id, page.items.map(({ id }) => id))
    return { items: itemsOf(items, detail), limit, offset, has_more: page.hasMore, query: formatQuery(terms, page.hasAllTerms) }
  }
})

/** The item whose identifier the query is, if the filter admits it; undefined if the query is not an identifier or no item has it. */
async function findExact (db: Db, filter: FeedFilter, accountId: string, q: string): Promise<ItemDetails[] | undefined> {
  const identifier = pastedIdentifier(q, { digitsArePmid: true })
  const found = identifier === undefined ? [] : await resolveIdentifier(db, accountId, identifier, [filter.projectId])
  return found.length === 0 ? undefined : await listItems(db, accountId, found.slice(0, 1).map(({ item_id }) => item_id), filter)
}
