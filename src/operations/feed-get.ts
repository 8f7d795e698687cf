import { countFeed, listFeed } from '../../db/queries/feed.js'
import { FeedGetInput, FeedGetResult } from '../../schemas/feed.js'
import { defaultLimit } from '../../schemas/paging.js'
import { InvalidArguments, ProjectNotFound } from '../errors.js'
import { operation } from './operation.js'
import { feedItemOf } from './records.js'

/**
 * A page of a feed, newest first. Source: contract, section 3.
 * @throws ProjectNotFound, and InvalidArguments when `since` is no RFC 3339 date or date-time
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
  async run ({ db, account }, { project_id, must_read, since, limit = defaultLimit, offset = 0 }) {
    const filter = { projectId: project_id, must_read, since: since === undefined ? undefined : readSince(since) }
    const [total, rows] = await Promise.all([countFeed(db, account.id, filter), listFeed(db, account.id, filter, { limit, offset })])
    if (total === undefined) throw new ProjectNotFound(project_id)
    return { items: rows.map(feedItemOf), total, limit, offset, has_more: offset + rows.length < total }
  }
})

const dateForm = /^\d{4}-\d\d-\d\d$/
const dateTimeForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** @see RFC 3339, section 5.6 */
function readSince (text: string): Date {
  const written = text.trim()
  const time = dateForm.test(written) || dateTimeForm.test(written) ? new Date(written.toUpperCase().replace(' ', 'T')) : undefined
  const day = time === undefined || Number.isNaN(time.getTime()) ? undefined : new Date(`${written.slice(0, 10)}T00:00:00Z`)
  // Date lets 30 February roll over into March.
  if (time === undefined || day === undefined || day.toISOString().slice(0, 10) !== written.slice(0, 10)) {
    throw new InvalidArguments(`since is ${JSON.stringify(text)}. Allowed: an RFC 3339 date like 2026-11-20, or a date-time with its offset like 2026-11-20T08:00:00Z.`)
  }
  return time
}
