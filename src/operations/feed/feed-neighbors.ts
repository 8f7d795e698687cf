import { findNeighbors, maxScanned, maxWalked } from '../../../db/queries/feed-neighbors.js'
import { listItems } from '../../../db/queries/feed.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { FeedNeighborsInput, FeedNeighborsResult, maxNeighbors } from '../../../schemas/feed-neighbors.js'
import { findIdentified, wordsOf } from '../../papers/identified-items.js'
import type { SearchFilter } from '../../search/filters.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { windowAround } from '../../papers/local-days.js'
import { rangeOf, readItemFilter } from '../../papers/feed-filter.js'
import { needsScan, paperFilterOf } from '../../papers/all-feeds/filter.js'
import { maxSearchOffset, searchFeeds } from '../../papers/all-feeds/search.js'

/** @throws InvalidArguments */
export const feedNeighbors = operation({
  name: 'feed_neighbors',
  title: 'Get neighboring items',
  description:
    'Returns the items before and after an item in the list of its project or of all projects, in the order and with the filters of ' +
    'feed_page or feeds_get.',
  input: FeedNeighborsInput,
  output: FeedNeighborsResult,
  async handler (context, { item_id, project_id, all_projects = false, q, sort = 'day', ...selection }) {
    const { db, account } = context
    const [item] = await listItems(db, account.id, [item_id])
    if (item === undefined) return { previous: [], next: [] }
    const listed = all_projects ? project_id : item.project_id
    const projects = (await listProjectNames(db, account.id)).filter(({ id }) => listed === undefined || id === listed)
    const { papers: scores, ...period } = rangeOf(selection)
    const filter = { ...readItemFilter(selection), ...period, papers: all_projects ? paperFilterOf(selection) : scores }
    if (q !== undefined) return await inSearch(context, projects, { q, filter }, item_id)
    const inProjects = { ...filter, projectIds: projects.map(({ id }) => id) }
    const place = { itemId: item_id, sort, isScan: needsScan(filter), limit: maxNeighbors }
    // A filter without an index is not asked for the days: the nearest items of any kind tell them.
    const { filter: inDays, days, parts } = sort === 'day'
      ? await windowAround(context, place.isScan ? { ...inProjects, papers: undefined } : inProjects, {
        readyAt: item.ready_at, limit: place.isScan ? maxScanned : maxNeighbors, maxRead: maxWalked
      })
      : { filter: inProjects, days: undefined, parts: undefined }
    const found = await findNeighbors(db, account.id, { ...inDays, papers: filter.papers }, { ...place, days, parts })
    return found ?? { previous: [], next: [] }
  }
})

/** The neighbors among the items of an identifier, or in the ranking of a search, among its first places. */
async function inSearch (
  context: Context,
  projects: ReadonlyArray<{ id: string, name: string }>,
  { q, filter }: { q: string, filter: SearchFilter },
  itemId: string
) {
  const ids = await findIdentified(context, q, { ...filter, projectIds: projects.map(({ id }) => id) }) ??
    (await searchFeeds(context, projects, { ...filter, ...wordsOf(q) }, { limit: maxSearchOffset, offset: 0 })).ids
  const at = ids.indexOf(itemId)
  if (at < 0) return { previous: [], next: [] }
  return { previous: ids.slice(Math.max(0, at - maxNeighbors), at).reverse(), next: ids.slice(at + 1, at + 1 + maxNeighbors) }
}
