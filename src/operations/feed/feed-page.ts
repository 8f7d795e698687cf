import { listItemsOfDays } from '../../../db/queries/all-feeds.js'
import { countRows, listRows, listRowsById } from '../../../db/queries/feed-page.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedPageInput, FeedPageResult } from '../../../schemas/feed-page.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { searchFeed } from '../../search/search.js'
import { operation } from '../operation.js'
import { findIdentified, pageOf, wordsOf } from '../../papers/identified-items.js'
import { maxCountedItems } from '../../papers/all-feeds/list.js'
import { feedRowOf } from '../../papers/records.js'
import { formatQuery } from '../../search/query.js'
import { windowOfPage } from '../../papers/local-days.js'
import { rangeOf, readItemFilter } from '../../papers/feed-filter.js'

/**
 * Returns the items of feed_get, or with `q` those of feed_search, as rows of a list. The next page repeats the `as_of` of the first,
 * so items that arrive or are rated in between do not shift the pages.
 * @throws ProjectNotFound, InvalidArguments
 */
export const feedPage = operation({
  name: 'feed_page',
  title: 'A page of a feed',
  description: 'Returns a page of a feed as list rows: all items in an order, or the matches of a search, best first.',
  input: FeedPageInput,
  output: FeedPageResult,
  async handler (context, { project_id, q, sort = 'day', limit = defaultLimit, offset = 0, ...selection }) {
    const { db, account, now } = context
    const projects = await listProjectNames(db, account.id)
    const project = projects.find(({ id }) => id === project_id.toLowerCase())
    if (project === undefined) throw new ProjectNotFound(project_id)
    const filter = { projectId: project_id, ...readItemFilter(selection), ...rangeOf(selection) }
    const pageFields = { project, projects, limit, offset, as_of: selection.as_of ?? now().toISOString() }
    if (q === undefined) {
      const list = async () => {
        if (sort !== 'day') return await listRows(db, account.id, filter, { limit: limit + 1, offset, sort })
        const page = await windowOfPage(context, { ...filter, projectIds: [project_id] }, { limit: limit + 1, offset })
        if (page.parts !== undefined) {
          const { filter, offset, parts } = page
          return await listRowsById(db, account.id, await listItemsOfDays(db, account.id, filter, { limit: limit + 1, offset, parts }))
        }
        const listed = { ...page.filter, projectId: project_id }
        return await listRows(db, account.id, listed, { limit: limit + 1, offset: page.offset, sort, days: page.days })
      }
      const [count, rows] = await Promise.all([countRows(db, account.id, filter, maxCountedItems + 1), list()])
      return {
        ...pageFields,
        items: rows.slice(0, limit).map(feedRowOf),
        total: Math.min(count, maxCountedItems),
        has_all_counted: count <= maxCountedItems,
        has_more: rows.length > limit,
        query: null
      }
    }
    const words = wordsOf(q)
    const search = async () => {
      const feed = { accountId: account.id, projectId: project_id }
      const page = await searchFeed(searchStorage(db), feed, { ...filter, ...words }, { limit, offset })
      if (page === undefined) throw new ProjectNotFound(project_id)
      return { ids: page.items.map(({ id }) => id), hasMore: page.hasMore, hasAllTerms: page.hasAllTerms }
    }
    const { projectId: _projectId, ...selected } = filter
    const identified = await findIdentified(context, q, { ...selected, projectIds: [project_id] })
    const page = identified === undefined ? await search() : pageOf(identified, { limit, offset })
    const rows = await listRowsById(db, account.id, page.ids)
    return {
      ...pageFields,
      items: rows.map(feedRowOf),
      total: null,
      has_all_counted: false,
      has_more: page.hasMore,
      query: formatQuery(words.terms, page.hasAllTerms)
    }
  }
})
