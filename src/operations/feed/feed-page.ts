import { countRows, listRows, listRowsById } from '../../../db/queries/feed-page.js'
import { findProjectName } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedPageInput, FeedPageResult } from '../../../schemas/feed-page.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { searchFeed } from '../../search/search.js'
import { operation } from '../operation.js'
import { readTime } from '../../errors/read-time.js'
import { feedRowOf } from '../../papers/records.js'
import { formatQuery, parseQuery } from '../../search/query.js'

/** Who has more in a feed wants no exact figure. */
const mostCounted = 10_000

/**
 * What a page shows of a feed: the items of feed_get, or with `q` of feed_search, each as a line of a list. Whoever goes on from page to
 * page sends the first one's `as_of`, so that what comes in and what is rated meanwhile moves nothing to another page.
 * @throws ProjectNotFound, InvalidArguments
 */
export const feedPage = operation({
  name: 'feed_page',
  title: 'A page of a feed',
  description: 'Lists a feed, newest first, or what is found in it, best match first; each item with what a list shows.',
  input: FeedPageInput,
  output: FeedPageResult,
  async handler ({ db, account, now }, { project_id, q = '', feedback_filter, must_read, as_of, limit = defaultLimit, offset = 0 }) {
    const project = await findProjectName(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    const filter = { projectId: project_id, must_read, feedback: feedback_filter, asOf: as_of === undefined ? undefined : readTime('as_of', as_of) }
    const shown = { project, limit, offset, as_of: as_of ?? now().toISOString() }
    if (q.trim() === '') {
      const [counted, rows] = await Promise.all([countRows(db, account.id, filter, mostCounted + 1), listRows(db, account.id, filter, { limit: limit + 1, offset })])
      return { ...shown, items: rows.slice(0, limit).map(feedRowOf), total: Math.min(counted, mostCounted), has_all_counted: counted <= mostCounted, has_more: rows.length > limit, query: null }
    }
    const terms = parseQuery(q)
    const page = await searchFeed(searchStorage(db), { accountId: account.id, projectId: project_id }, { ...filter, terms }, { limit, offset })
    if (page === undefined) throw new ProjectNotFound(project_id)
    const rows = await listRowsById(db, account.id, page.items.map(({ id }) => id))
    return { ...shown, items: rows.map(feedRowOf), total: null, has_all_counted: false, has_more: page.hasMore, query: formatQuery(terms, page.hasAllTerms) }
  }
})
