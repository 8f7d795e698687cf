import type { FeedFilter } from '../../../db/queries/feed.js'
import type { FeedbackFilter } from '../../../schemas/feedback.js'
import type { LinkFilter } from '../../../schemas/relevance.js'
import { readPeriod } from '../../errors/read-period.js'
import { markFilterOf } from '../../papers/item-state.js'

/** The arguments of a request that select items of a feed. */
interface FilterArguments {
  project_id: string
  must_read?: boolean | undefined
  feedback_filter?: FeedbackFilter | undefined
  seen?: boolean | undefined
  saved?: boolean | undefined
  tag?: string | undefined
  link?: LinkFilter | undefined
  since?: string | undefined
  until?: string | undefined
}

/** Converts the filters of a request to those of queries. @throws InvalidArguments if `since` or `until` cannot be read */
export function readFeedFilter (
  { project_id, must_read, feedback_filter, seen, saved, tag, link, since, until }: FilterArguments,
  now: Date
): FeedFilter {
  return {
    projectId: project_id,
    must_read,
    feedback: feedback_filter,
    ...markFilterOf({ seen, saved, tag, link }),
    since: since === undefined ? undefined : readPeriod('since', since, now),
    until: until === undefined ? undefined : readPeriod('until', until, now)
  }
}
