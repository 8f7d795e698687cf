import { listItems } from '../../../db/queries/feed.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedSearchInput, FeedSearchResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { formatQuery, parseQuery } from '../../search/query.js'
import { searchFeed } from '../../search/search.js'
import { operation } from '../operation.js'
import { feedItemOf } from '../../papers/records.js'

/**
 * Searches a whole feed, best match first.
 * @see specification, section 4.1, rules 2 to 5
 * @throws ProjectNotFound also if the project is another account's
 * @throws InvalidArguments if `q` has the wrong length or no words
 */
export const feedSearch = operation({
  name: 'feed_search',
  title: 'Search a project feed',
  description: [
    'Searches titles, authors, abstracts, summaries and identifiers (DOI, PMID, arXiv id) of a project\'s entire feed on the server and gives the best matches first.',
    'Each word matches as a prefix ("neur" finds "neuronal"); case, accents and punctuation do not matter; there are no operators.',
    'Items with every word come first, then those with some.',
    'Use it to find papers on a subject, by a person or with an identifier; use feed_get for what is newest.',
    'No total is given: follow has_more with offset. An item is about 700 tokens: ask for 10 to 20.',
    'Example: {"project_id": "0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11", "q": "sleep spindles memory", "feedback_filter": "unrated", "limit": 10}'
  ].join(' '),
  input: FeedSearchInput,
  output: FeedSearchResult,
  async handler ({ db, account }, { project_id, q, feedback_filter, must_read, limit = defaultLimit, offset = 0 }) {
    const terms = parseQuery(q)
    const page = await searchFeed(searchStorage(db), { accountId: account.id, projectId: project_id }, { terms, must_read, feedback: feedback_filter }, { limit, offset })
    if (page === undefined) throw new ProjectNotFound(project_id)
    const items = await listItems(db, account.id, page.items.map(({ id }) => id))
    return { items: items.map(feedItemOf), limit, offset, has_more: page.hasMore, query: formatQuery(terms, page.hasAllTerms) }
  }
})
