import type { Static } from 'typebox'
import type { ProjectIds } from '../../../db/queries/ownership.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import type { AllFeedsInput } from '../../../schemas/all-feeds.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { formatQuery } from '../../search/query.js'
import { readItemFilter } from '../feed-filter.js'
import { findIdentified, pageOf, wordsOf } from '../identified-items.js'
import { narrowByNames, needsScan, paperFilterOf } from './filter.js'
import { listFeeds, requireListed } from './list.js'
import { scanFeeds } from './scan.js'
import { searchFeeds } from './search.js'

/** Who lists feeds, and when. */
type FeedsCaller = Parameters<typeof scanFeeds>[0] & {
  readonly key?: { readonly projectIds: ProjectIds } | undefined
  readonly now: () => Date
}

/**
 * Finds the items of a page of all feeds. @returns also the names of the projects, and the other properties of the page
 * @throws ProjectNotFound, InvalidArguments
 */
export async function listFeedsPage (
  context: FeedsCaller,
  { q, project_id, sort = 'day', limit = defaultLimit, offset = 0, ...selection }: Static<typeof AllFeedsInput>
) {
  const { db, account, key, now } = context
  const visible = await listProjectNames(db, account.id, key?.projectIds)
  const projects = project_id === undefined ? visible : visible.filter(({ id }) => id === project_id)
  if (project_id !== undefined && projects.length === 0) throw new ProjectNotFound(project_id)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const filter = { ...readItemFilter(selection), papers: paperFilterOf(selection) }
  const pageFields = { limit, offset, as_of: selection.as_of ?? now().toISOString() }
  if (q !== undefined) {
    const words = wordsOf(q)
    const identified = await findIdentified(context, q, { ...filter, projectIds: projects.map(({ id }) => id) })
    const { ids, hasMore, hasAllTerms } = identified === undefined
      ? await searchFeeds(context, projects, { ...filter, ...words }, { limit, offset })
      : pageOf(identified, { limit, offset })
    return { ids, names, page: { ...pageFields, has_more: hasMore, total: null, query: formatQuery(words.terms, hasAllTerms) } }
  }
  requireListed(offset)
  const inProjects = { ...filter, projectIds: projects.map(({ id }) => id) }
  const narrowed = await narrowByNames(context, inProjects)
  const { ids, total } = await (needsScan(narrowed) ? scanFeeds : listFeeds)(context, narrowed, { limit: limit + 1, offset, sort })
  return { ids: ids.slice(0, limit), names, page: { ...pageFields, has_more: ids.length > limit, total, query: null } }
}
