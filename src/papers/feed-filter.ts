import type { FeedFilter } from '../../db/queries/feed.js'
import type { FeedbackFilter } from '../../schemas/feedback.js'
import type { LinkFilter } from '../../schemas/relevance.js'
import { tagKey } from '../../schemas/tags.js'
import { readPeriod } from '../input/read-period.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { readTime } from '../input/read-time.js'

/** The arguments of a request that select items by class, vote, marks and links, in one feed or all. */
interface ItemArguments {
  must_read?: boolean
  feedback_filter?: FeedbackFilter
  seen?: boolean
  saved?: boolean
  tag?: string
  link?: LinkFilter
  as_of?: string
}

/** The arguments of a request that select items of one feed. */
interface FeedArguments extends ItemArguments {
  project_id: string
  since?: string
  until?: string
}

/** Converts the filters of a request to those of queries. @throws InvalidArguments if `as_of` cannot be read */
export const readItemFilter = (
  { must_read, feedback_filter, seen, saved, tag, link, as_of }: ItemArguments
): Omit<FeedFilter, 'projectId'> => ({
  must_read,
  feedback: feedback_filter,
  seen,
  saved,
  tagKey: tag === undefined ? undefined : tagKey(tag),
  link,
  asOf: as_of === undefined ? undefined : readTime('as_of', as_of)
})

/** The same for one feed, with a period. @throws InvalidArguments also if `since` or `until` cannot be read, or the period is inverted */
export function readFeedFilter ({ project_id, since, until, ...rest }: FeedArguments, now: Date): FeedFilter {
  const period = {
    since: since === undefined ? undefined : readPeriod('since', since, now),
    until: until === undefined ? undefined : readPeriod('until', until, now)
  }
  if (period.since !== undefined && period.until !== undefined && period.since > period.until) {
    throw new InvalidArguments(
      `since is ${JSON.stringify(since)}, which is after until, ${JSON.stringify(until)}. since is the older end of the period: swap them.`,
      { argument: 'since', userMessage: 'The period ends before it begins. Swap its ends.' }
    )
  }
  return { projectId: project_id, ...readItemFilter(rest), ...period }
}

interface Range { min_score?: number, max_score?: number, since?: string, until?: string }

/** The scores and days of a request as a filter. */
export const rangeOf = ({ min_score, max_score, since, until }: Range) => ({
  since: since === undefined ? undefined : new Date(`${since}T00:00:00Z`),
  until: until === undefined ? undefined : new Date(`${until}T00:00:00Z`),
  papers: min_score === undefined && max_score === undefined ? undefined : { minScore: min_score, maxScore: max_score }
})
