import { countFeed } from '../../../db/queries/feed-count.js'
import { walkFeedPage } from '../../../db/queries/feed.js'
import { FeedGetInput, FeedGetResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { collectItems } from '../collect-items.js'
import { operation } from '../operation.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { coverageOf } from '../../sources/projects/coverage.js'
import { readFeedFilter } from '../../papers/feed-filter.js'
import { itemReader } from '../../papers/brief.js'

/**
 * Returns a page of a feed, newest or best first.
 * @throws ProjectNotFound, and InvalidArguments if `since` or `until` cannot be read
 */
export const feedGet = operation({
  name: 'feed_get',
  title: 'Read a project feed',
  description: [
    'Returns a project\'s papers, newest first, with summary, relevance, vote and record.',
    'If coverage.complete is false, tell the user that papers may be missing.',
    'For a subject, use feed_search; for a full text, paper_markdown.',
    'An item has about 3,300 characters: use a limit up to 10. With detail: "brief", for large collaborations and for digests, 900: ' +
    'up to 40.',
    'Example: {"project_id": "0b54c2ab-…", "since": "7d"}'
  ].join(' '),
  input: FeedGetInput,
  output: FeedGetResult,
  scope: 'read',
  async handler (context, { sort, detail, limit = defaultLimit, offset = 0, ...selection }) {
    const { db, account, key, now } = context
    const filter = readFeedFilter(selection, now())
    const { extract, itemOf } = itemReader(detail)
    const page = { limit, offset, order: sort, extract, visibleProjectIds: key?.projectIds }
    const [counted, items] = await Promise.all([
      countFeed(db, account.id, filter),
      collectItems(context, walkFeedPage(db, account.id, filter, page), itemOf)
    ])
    if (counted === undefined) throw new ProjectNotFound(filter.projectId)
    const { total, ...coverage } = counted
    return {
      items,
      total,
      limit,
      offset,
      has_more: offset + items.length < total,
      coverage: coverageOf(coverage, now())
    }
  }
})
