import pLimit from 'p-limit'
import type { Db } from '../../../db/connection.js'
import { StatementTimeout } from '../../../db/errors.js'
import { countAllItems, listAllItems } from '../../../db/queries/all-feeds.js'
import { listItems } from '../../../db/queries/feed.js'
import type { PaperFilter } from '../../../db/queries/paper-filter.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { withTimeLimit } from '../../../db/queries/time-limit.js'
import { AllFeedsInput, type AllFeedsItem, AllFeedsResult } from '../../../schemas/all-feeds.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { readTime } from '../../errors/read-time.js'
import { markFilterOf } from '../../papers/item-state.js'
import { feedItemOf } from '../../papers/records.js'
import { formatQuery, parseQuery } from '../../search/query.js'
import { type SearchPage, searchFeed, type SearchQuery } from '../../search/search.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'

/** Larger numbers are not counted, and no page begins after them: both cost time and help nobody. */
export const maxCountedItems = 10_000
/** Places of a search over several feeds that can be reached; no page follows them. */
export const maxSearchOffset = 1000
/** Feeds that are searched at the same time. */
const concurrency = 4

/** @throws ProjectNotFound, InvalidArguments */
export const feedsGet = operation({
  name: 'feeds_get',
  title: 'Read all feeds',
  description:
    'Returns a page of the items of all projects, each with the name of its project: in an order, ' +
    'or the matches of a search, narrowed by ' +
    'what the papers’ records state.',
  input: AllFeedsInput,
  output: AllFeedsResult,
  scope: 'read',
  async handler (
    context,
    {
      q = '',
      project_id,
      feedback_filter,
      seen,
      saved,
      tag,
      link,
      must_read,
      sort = 'day',
      as_of,
      limit = defaultLimit,
      offset = 0,
      ...record
    }
  ) {
    const { db, account, key, now } = context
    const visible = await listProjectNames(db, account.id, key?.projectIds)
    const projects = project_id === undefined ? visible : visible.filter(({ id }) => id === project_id)
    if (project_id !== undefined && projects.length === 0) throw new ProjectNotFound(project_id)
    const filter = {
      must_read,
      feedback: feedback_filter,
      ...markFilterOf({ seen, saved, tag, link }),
      papers: paperFilterOf(record),
      asOf: as_of === undefined ? undefined : readTime('as_of', as_of)
    }
    const pageFields = { limit, offset, as_of: as_of ?? now().toISOString() }
    if (q.trim() !== '') {
      const terms = parseQuery(q, { shortWords: true })
      const page = await searchAll(context, projects, { ...filter, terms }, { limit, offset })
      return { ...await itemsOf(context, projects, page), ...pageFields, total: null, query: formatQuery(terms, page.hasAllTerms) }
    }
    if (offset > maxCountedItems) throw offsetTooLarge()
    const inProjects = { ...filter, projectIds: projects.map(({ id }) => id) }
    const { page, total } = await inLimitedTime(db, filter.papers, async reader => {
      const ids = await listAllItems(reader, account.id, inProjects, { limit: limit + 1, offset, sort })
      const page = { ids: ids.slice(0, limit), hasMore: ids.length > limit }
      // The last page tells the number by itself, which saves counting.
      const isLast = !page.hasMore && (ids.length > 0 || offset === 0)
      const counted = isLast ? offset + ids.length : await countAllItems(reader, account.id, inProjects, maxCountedItems)
      return { page, total: Math.min(counted, maxCountedItems) }
    })
    return { ...await itemsOf(context, projects, page), ...pageFields, total, query: null }
  }
})

/** No index finds parts of names and stored texts: a filter by them reads every paper of the feeds, up to this time. */
const maxScanMs = 10_000

/** @throws InvalidArguments if the filter takes too long */
export async function inLimitedTime<T> (db: Db, papers: PaperFilter | undefined, read: (reader: Db) => Promise<T>): Promise<T> {
  const { venue, author, hasFullText } = papers ?? {}
  if (venue === undefined && author === undefined && hasFullText === undefined) return await read(db)
  try {
    return await withTimeLimit(db, maxScanMs, read)
  } catch (cause) {
    if (!(cause instanceof StatementTimeout)) throw cause
    const names = Object.entries({ author, venue, has_full_text: hasFullText }).filter(([, value]) => value !== undefined)
    throw new InvalidArguments(
      `${names.map(([name]) => name).join(' and ')} took longer than ${maxScanMs / 1000} s, since every paper of these feeds is looked at. ` +
        'Narrow the filter with project_id, year_from or must_read, or search with q.',
      { cause, userMessage: 'This filter takes too long on so many papers. Select a project or years, or search for words too.' }
    )
  }
}

const offsetTooLarge = () => {
  const maximum = maxCountedItems.toLocaleString('en')
  return new InvalidArguments(`offset is larger than ${maximum}, the maximum. Narrow the filter, such as with year_from or project_id.`, {
    userMessage: `Only the first ${maximum} papers can be listed. Narrow the filter, such as by year or project.`
  })
}

interface Stated { year_from?: number, year_to?: number, venue?: string, author?: string, has_full_text?: boolean }

export function paperFilterOf ({ year_from, year_to, venue, author, has_full_text }: Stated): PaperFilter | undefined {
  if (year_from !== undefined && year_to !== undefined && year_from > year_to) {
    throw new InvalidArguments('year_from is after year_to. Exchange them.', { userMessage: 'The first year is after the last.' })
  }
  const filter = { yearFrom: year_from, yearTo: year_to, venue: venue?.trim(), author: author?.trim(), hasFullText: has_full_text }
  return Object.values(filter).every(value => value === undefined) ? undefined : filter
}

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

/**
 * Searches each feed, and merges the rankings: items with every term first, and among them the first of each feed, then the second of each.
 */
export async function searchAll (
  { db, account }: Context,
  projects: readonly Project[],
  query: SearchQuery,
  { limit, offset }: { limit: number, offset: number }
) {
  const end = Math.min(offset + limit + 1, maxSearchOffset)
  const limitConcurrency = pLimit(concurrency)
  const pages = await Promise.all(projects.map(({ id }) => limitConcurrency(async () =>
    await searchFeed(searchStorage(db), { accountId: account.id, projectId: id }, query, { limit: end, offset: 0 }))))
  const ranked = mergeRankings(pages.filter(page => page !== undefined)).slice(0, end)
  const items = ranked.slice(offset, offset + limit)
  return {
    ids: items.map(({ id }) => id),
    hasMore: ranked.length > offset + limit,
    hasAllTerms: items.every(({ hasAllTerms }) => hasAllTerms)
  }
}

const mergeRankings = (pages: readonly SearchPage[]) =>
  pages.flatMap(({ items }) => items.map((item, rank) => ({ ...item, rank })))
    .sort((a, b) => Number(b.hasAllTerms) - Number(a.hasAllTerms) || a.rank - b.rank)
