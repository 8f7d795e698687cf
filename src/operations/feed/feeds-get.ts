import { listItems } from '../../../db/queries/feed.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { AllFeedsInput, type AllFeedsItem, AllFeedsResult } from '../../../schemas/all-feeds.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { narrowByNames, needsScan, paperFilterOf } from '../../papers/all-feeds/filter.js'
import { listFeeds, requireListed } from '../../papers/all-feeds/list.js'
import { scanFeeds } from '../../papers/all-feeds/scan.js'
import { searchFeeds } from '../../papers/all-feeds/search.js'
import { findIdentified, pageOf, wordsOf } from '../../papers/identified-items.js'
import { readItemFilter } from '../../papers/feed-filter.js'
import { feedItemOf } from '../../papers/records.js'
import { formatQuery } from '../../search/query.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'

/** @throws ProjectNotFound, InvalidArguments */
export const feedsGet = operation({
  name: 'feeds_get',
  title: 'Read all feeds',
  description:
    'Returns a page of the items of all projects, each with the name of its project: in an order, ' +
    'or the matches of a search, filtered by values of the papers’ records.',
  input: AllFeedsInput,
  output: AllFeedsResult,
  scope: 'read',
  async handler (context, { q, project_id, sort = 'day', limit = defaultLimit, offset = 0, ...selection }) {
    const { db, account, key, now } = context
    const visible = await listProjectNames(db, account.id, key?.projectIds)
    const projects = project_id === undefined ? visible : visible.filter(({ id }) => id === project_id)
    if (project_id !== undefined && projects.length === 0) throw new ProjectNotFound(project_id)
    const filter = { ...readItemFilter(selection), papers: paperFilterOf(selection) }
    const pageFields = { limit, offset, as_of: selection.as_of ?? now().toISOString() }
    if (q !== undefined) {
      const words = wordsOf(q)
      const identified = await findIdentified(context, q, { ...filter, projectIds: projects.map(({ id }) => id) })
      const page = identified === undefined
        ? await searchFeeds(context, projects, { ...filter, ...words }, { limit, offset })
        : pageOf(identified, { limit, offset })
      return { ...await itemsOf(context, projects, page), ...pageFields, total: null, query: formatQuery(words.terms, page.hasAllTerms) }
    }
    requireListed(offset)
    const inProjects = { ...filter, projectIds: projects.map(({ id }) => id) }
    const narrowed = await narrowByNames(context, inProjects)
    const { ids, total } = await (needsScan(narrowed) ? scanFeeds : listFeeds)(context, narrowed, { limit: limit + 1, offset, sort })
    const page = { ids: ids.slice(0, limit), hasMore: ids.length > limit }
    return { ...await itemsOf(context, projects, page), ...pageFields, total, query: null }
  }
})

type Project = { id: string, name: string }

async function itemsOf (
  { db, account }: Context,
  projects: readonly Project[],
  { ids, hasMore }: { ids: readonly string[], hasMore: boolean }
) {
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const items = await listItems(db, account.id, ids)
  return {
    items: items.map((item): AllFeedsItem => ({ ...feedItemOf(item), project_name: names.get(item.project_id) ?? '' })),
    has_more: hasMore
  }
}
