import pLimit from 'p-limit'
import { StatementTimeout } from '../../../db/errors.js'
import {
  type AllFeedsFilter, type ScannedItem, compareScanned, countAllItems, listAllItems, listItemsOfDays, scanAllItems
} from '../../../db/queries/all-feeds.js'
import { listItems } from '../../../db/queries/feed.js'
import type { PaperFilter } from '../../../db/queries/paper-filter.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { AllFeedsInput, type AllFeedsItem, AllFeedsResult } from '../../../schemas/all-feeds.js'
import type { FeedSort } from '../../../schemas/feed-page.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { feedItemOf } from '../../papers/records.js'
import { formatQuery, parseQuery } from '../../search/query.js'
import { findByNames, type SearchPage, searchFeed, type SearchQuery } from '../../search/search.js'
import type { Context } from '../context.js'
import { FairQueue } from '../../threads/fair-queue.js'
import { operation } from '../operation.js'
import { dayNames, type DayWindow, windowOfPage } from '../../papers/local-days.js'
import { readItemFilter } from '../../papers/feed-filter.js'

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
    'or the matches of a search, filtered by values of the papers’ records.',
  input: AllFeedsInput,
  output: AllFeedsResult,
  scope: 'read',
  async handler (context, { q = '', project_id, sort = 'day', limit = defaultLimit, offset = 0, ...selection }) {
    const { db, account, key, now } = context
    const visible = await listProjectNames(db, account.id, key?.projectIds)
    const projects = project_id === undefined ? visible : visible.filter(({ id }) => id === project_id)
    if (project_id !== undefined && projects.length === 0) throw new ProjectNotFound(project_id)
    const filter = { ...readItemFilter(selection), papers: paperFilterOf(selection) }
    const pageFields = { limit, offset, as_of: selection.as_of ?? now().toISOString() }
    if (q.trim() !== '') {
      const terms = parseQuery(q, { shortWords: true })
      const page = await searchAll(context, projects, { ...filter, terms }, { limit, offset })
      return { ...await itemsOf(context, projects, page), ...pageFields, total: null, query: formatQuery(terms, page.hasAllTerms) }
    }
    if (offset > maxCountedItems) throw offsetTooLarge()
    const inProjects = { ...filter, projectIds: projects.map(({ id }) => id) }
    const narrowed = await narrowByNames(context, inProjects)
    const { ids, total } = needsScan(narrowed)
      ? await scan(context, narrowed, { limit: limit + 1, offset, sort })
      : await list(context, narrowed, { limit: limit + 1, offset, sort })
    const page = { ids: ids.slice(0, limit), hasMore: ids.length > limit }
    return { ...await itemsOf(context, projects, page), ...pageFields, total, query: null }
  }
})

type Filter = AllFeedsFilter & { projectIds: readonly string[] }
interface Page { limit: number, offset: number, sort: FeedSort }

/** A page of the items, found by indexes. */
async function list (context: Context, filter: Filter, page: Page): Promise<{ ids: string[], total: number }> {
  const { db, account } = context
  const part: DayWindow = page.sort === 'day' ? await windowOfPage(context, filter, page) : { filter, days: undefined, offset: page.offset }
  const ids = part.parts === undefined
    ? await listAllItems(db, account.id, part.filter, { ...page, offset: part.offset, days: part.days })
    : await listItemsOfDays(db, account.id, part.filter, { limit: page.limit, offset: part.offset, parts: part.parts })
  // The last page tells the number by itself, which saves counting.
  const isLast = ids.length < page.limit && (ids.length > 0 || page.offset === 0)
  const total = isLast ? page.offset + ids.length : countOf(filter) ?? await countAllItems(db, account.id, filter, maxCountedItems)
  return { ids, total: Math.min(total, maxCountedItems) }
}

/** The number of items of a filter by names alone. */
function countOf ({ projectIds: _projectIds, items, papers, ...others }: Filter): number | undefined {
  const isNarrowed = [...Object.values(papers ?? {}), ...Object.values(others)].some(each => each !== undefined && each !== 'all')
  return isNarrowed ? undefined : items?.count
}

/** Items of which stored texts are looked up without a scan. */
const maxChecked = 1000

/**
 * Replaces a filter by names with the items that the search index finds by them. The filter stays as it is without such an index, and with
 * a condition that only a scan checks on so many items.
 */
export async function narrowByNames ({ db, account }: Pick<Context, 'db' | 'account'>, filter: Filter): Promise<Filter> {
  const { venue, author, ...papers } = filter.papers ?? {}
  if (venue === undefined && author === undefined) return filter
  const limitConcurrency = pLimit(concurrency)
  const found = await Promise.all(filter.projectIds.map(projectId => limitConcurrency(async () =>
    await findByNames(searchStorage(db), { accountId: account.id, projectId }, { venue, author }))))
  const items = { ids: found.flatMap(each => each?.ids || []).join(','), count: found.reduce((sum, each) => sum + (each?.count ?? 0), 0) }
  if (found.includes(undefined) || (needsScan({ papers }) && items.count > maxChecked)) return filter
  return { ...filter, papers, items }
}

/** No index finds stored texts: a filter by them looks at every paper of the feeds, for this time at most. */
const maxScanMs = 10_000
const scans = new FairQueue()

/** Whether a filter has a condition without an index. */
export const needsScan = ({ papers: { venue, author, hasFullText } = {}, items }: Pick<AllFeedsFilter, 'papers' | 'items'>): boolean =>
  items === undefined && (venue !== undefined || author !== undefined || hasFullText !== undefined)

/**
 * A page of the items, found by looking at all of them, some at a time. Accounts take turns, so one scan runs at a time.
 * @throws InvalidArguments if the filter takes too long
 */
export async function scan (
  { db, sharedDb, account }: Pick<Context, 'db' | 'sharedDb' | 'account'>,
  filter: Filter,
  { limit, offset, sort }: Page
): Promise<{ ids: string[], total: number }> {
  const items = scanAllItems(sharedDb, account.id, filter, { sort, limitMs: maxScanMs })[Symbol.asyncIterator]()
  const dayName = sort === 'day' ? await dayNames({ db, account }) : undefined
  let first: ScannedItem[] = []
  let total = 0
  for (let spentMs = 0; ;) {
    const found = await scans.run(account.id, async () => {
      try {
        return await items.next()
      } catch (cause) {
        throw cause instanceof StatementTimeout ? filterTooSlow(filter.papers, cause) : cause
      }
    })
    if (found.done === true) break
    const { items: scanned, tookMs } = found.value
    const matching = dayName === undefined
      ? scanned
      : scanned.map(({ id, keys: [seconds, ...others] }) => ({ id, keys: [dayName(Number(seconds)), ...others] }))
    spentMs += tookMs
    if (spentMs > maxScanMs) throw filterTooSlow(filter.papers)
    total += matching.length
    if (matching.length > 0) first = [...first, ...matching].sort(compareScanned).slice(0, offset + limit)
  }
  return { ids: first.slice(offset).map(({ id }) => id), total: Math.min(total, maxCountedItems) }
}

function filterTooSlow ({ author, venue, hasFullText }: PaperFilter = {}, cause?: StatementTimeout): InvalidArguments {
  const names = Object.entries({ author, venue, has_full_text: hasFullText }).filter(([, value]) => value !== undefined)
  return new InvalidArguments(
    `The filter by ${names.map(([name]) => name).join(' and ')} took longer than ${maxScanMs / 1000} s: it reads every paper of the ` +
      'selected feeds. Select one project with project_id, or search with q.',
    { cause, userMessage: `This filter took longer than ${maxScanMs / 1000} s. Select one project, or search for words.` }
  )
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
    throw new InvalidArguments('year_from is after year_to. Swap them.', { userMessage: 'The first year is after the last.' })
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
