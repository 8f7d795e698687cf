import { countFeed, listFeed } from '../../../db/queries/feed.js'
import { FeedGetInput, FeedGetResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { readTime } from '../../errors/read-time.js'
import { feedItemOf } from '../../papers/records.js'

/**
 * Returns a page of a feed, newest first.
 * @throws ProjectNotFound, and InvalidArguments if `since` is not an RFC 3339 date or date-time
 */
export const feedGet = operation({
  name: 'feed_get',
  title: 'Read a project feed',
  description: [
    'Gives a project\'s papers, newest in the feed first, each with title, summary, relevance, the user\'s vote and the whole record; total counts all that match.',
    'Use it for "what is new", with since, or for the important ones, with must_read: true.',
    'For a subject, name or word use feed_search: it looks through the whole feed, this pages through it.',
    'An item is about 700 tokens: ask for 10 to 20.',
    'Example: {"project_id": "0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11", "since": "2026-11-13", "limit": 10}'
  ].join(' '),
  input: FeedGetInput,
  output: FeedGetResult,
  async handler ({ db, account }, { project_id, must_read, since, limit = defaultLimit, offset = 0 }) {
    const filter = { projectId: project_id, must_read, since: since === undefined ? undefined : readTime('since', since) }
    const [total, rows] = await Promise.all([countFeed(db, account.id, filter), listFeed(db, account.id, filter, { limit, offset })])
    if (total === undefined) throw new ProjectNotFound(project_id)
    return { items: rows.map(feedItemOf), total, limit, offset, has_more: offset + rows.length < total }
  }
})
