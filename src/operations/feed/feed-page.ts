import type { Static } from 'typebox'
import { listItemsOfDays } from '../../../db/queries/all-feeds.js'
import type { FeedFilter } from '../../../db/queries/feed-filter.js'
import { countRows, listRows, listRowsById } from '../../../db/queries/feed-page.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { FeedPageInput, FeedPageResult, type FeedSort } from '../../../schemas/feed-page.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { readPage } from '../read-page.js'
import { maxCountedItems } from '../../papers/all-feeds/list.js'
import { feedRowOf } from '../../papers/records.js'
import { windowOfPage } from '../../papers/local-days.js'
import { rangeOf, readItemFilter } from '../../papers/feed-filter.js'
import { searchProject } from '../../papers/project-search.js'
import type { Context } from '../context.js'

/**
 * Returns the items of feed_get, or with `q` those of feed_search, as rows of a list. The next page repeats the `as_of` of the first,
 * so items that become ready or are rated in between do not shift the pages.
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
    const filter = { ...readItemFilter(selection), ...rangeOf(selection) }
    const as_of = selection.as_of ?? now().toISOString()
    const listed = q === undefined
      ? await listPage(context, { projectId: project_id, ...filter }, { sort, limit, offset })
      : await searchPage(context, { projectId: project_id, q, filter, limit, offset })
    return { project, projects, limit, offset, as_of, ...listed }
  }
})

type ListedPage = Pick<Static<typeof FeedPageResult>, 'items' | 'total' | 'has_all_counted' | 'has_more' | 'query'>
interface PageOfList { sort: FeedSort, limit: number, offset: number }

/** All items that a filter admits, in an order. */
async function listPage (context: Context, filter: FeedFilter, { sort, limit, offset }: PageOfList): Promise<ListedPage> {
  const { db, account } = context
  const list = async (page: Omit<PageOfList, 'sort'>) =>
    sort === 'day' ? await listRowsByDay(context, filter, page) : await listRows(db, account.id, filter, { ...page, sort })
  // One after the other, so a page uses one connection at a time.
  const { rows, page: { has_more } } = await readPage({ limit, offset }, list)
  const count = await countRows(db, account.id, filter, maxCountedItems + 1)
  return {
    items: rows.map(feedRowOf),
    total: Math.min(count, maxCountedItems),
    has_all_counted: count <= maxCountedItems,
    has_more,
    query: null
  }
}

/** Rows of a page of the days of the reader's time zone. */
async function listRowsByDay (context: Context, filter: FeedFilter, { limit, offset }: Omit<PageOfList, 'sort'>) {
  const { db, account } = context
  const { projectId } = filter
  const page = await windowOfPage(context, { ...filter, projectIds: [projectId] }, { limit, offset })
  if (page.parts !== undefined) {
    const items = await listItemsOfDays(db, account.id, page.filter, { limit, offset: page.offset, parts: page.parts })
    return await listRowsById(db, account.id, items.map(({ id }) => id))
  }
  return await listRows(db, account.id, { ...page.filter, projectId }, { limit, offset: page.offset, sort: 'day', days: page.days })
}

/** The matches of a search, best first. */
async function searchPage (context: Context, search: Parameters<typeof searchProject>[1]): Promise<ListedPage> {
  const { items: rows, hasMore, query } = await searchProject(
    context, search, async (ids, index) => await listRowsById(context.db, context.account.id, ids, index))
  return { items: rows.map(feedRowOf), total: null, has_all_counted: false, has_more: hasMore, query }
}
