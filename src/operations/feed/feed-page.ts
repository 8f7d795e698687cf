import { countRows, listRows, listRowsById } from '../../../db/queries/feed-page.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { FeedPageInput, FeedPageResult } from '../../../schemas/feed-page.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { searchFeed } from '../../search/search.js'
import { operation } from '../operation.js'
import { readTime } from '../../errors/read-time.js'
import { markFilterOf } from '../../papers/item-state.js'
import { feedRowOf } from '../../papers/records.js'
import { formatQuery, parseQuery } from '../../search/query.js'

/** Larger feeds show "more than", because an exact count costs time and helps nobody. */
const maxCountedItems = 10_000

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
  async handler (
    { db, account, now },
    {
      project_id,
      q = '',
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
      ...range
    }
  ) {
    const projects = await listProjectNames(db, account.id)
    const project = projects.find(({ id }) => id === project_id.toLowerCase())
    if (project === undefined) throw new ProjectNotFound(project_id)
    const filter = {
      projectId: project_id,
      must_read,
      feedback: feedback_filter,
      ...markFilterOf({ seen, saved, tag, link }),
      ...rangeOf(range),
      asOf: as_of === undefined ? undefined : readTime('as_of', as_of)
    }
    const pageFields = { project, projects, limit, offset, as_of: as_of ?? now().toISOString() }
    if (q.trim() === '') {
      const [count, rows] = await Promise.all([
        countRows(db, account.id, filter, maxCountedItems + 1),
        listRows(db, account.id, filter, { limit: limit + 1, offset, sort })
      ])
      return {
        ...pageFields,
        items: rows.slice(0, limit).map(feedRowOf),
        total: Math.min(count, maxCountedItems),
        has_all_counted: count <= maxCountedItems,
        has_more: rows.length > limit,
        query: null
      }
    }
    const terms = parseQuery(q, { shortWords: true })
    const feed = { accountId: account.id, projectId: project_id }
    const page = await searchFeed(searchStorage(db), feed, { ...filter, terms }, { limit, offset })
    if (page === undefined) throw new ProjectNotFound(project_id)
    const rows = await listRowsById(db, account.id, page.items.map(({ id }) => id))
    return {
      ...pageFields,
      items: rows.map(feedRowOf),
      total: null,
      has_all_counted: false,
      has_more: page.hasMore,
      query: formatQuery(terms, page.hasAllTerms)
    }
  }
})

interface Range { min_score?: number, max_score?: number, since?: string, until?: string }

const rangeOf = ({ min_score, max_score, since, until }: Range) => ({
  since: since === undefined ? undefined : new Date(`${since}T00:00:00Z`),
  until: until === undefined ? undefined : new Date(`${until}T00:00:00Z`),
  papers: min_score === undefined && max_score === undefined ? undefined : { minScore: min_score, maxScore: max_score }
})
