import type { FeedFilter } from '../../db/queries/feed-filter.js'
import type { FeedbackFilter } from '../../schemas/feedback.js'
import type { LinkFilter } from '../../schemas/relevance.js'
import { tagKey } from '../../schemas/tags.js'
import { dayAfter, dayOf } from '../../schemas/utc-time.js'
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
  requireOrder(period, { since, until })
  requireLength(period, until)
  return { projectId: project_id, ...readItemFilter(rest), ...period }
}

interface Period<T> { since: T | undefined, until: T | undefined }

/** @param stated as the request has it @throws InvalidArguments if a period ends before it begins */
function requireOrder ({ since, until }: Period<Date>, stated: Period<string>): void {
  if (since === undefined || until === undefined || since <= until) return
  throw new InvalidArguments(
    `since is ${JSON.stringify(stated.since)}, which is after until, ${JSON.stringify(stated.until)}. since is the older end of the ` +
      'period: swap them.',
    { argument: 'since', userMessage: 'The period ends before it begins. Swap its ends.' }
  )
}

/** A period of one day is often meant by a period without length. @throws InvalidArguments */
function requireLength ({ since, until }: Period<Date>, stated: string | undefined): void {
  if (since === undefined || until === undefined || since < until) return
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(stated!.trim())
  const next = isDay ? `For that day, send until ${JSON.stringify(dayAfter(dayOf(until), 1))}.` : 'Send a later until.'
  throw new InvalidArguments(
    `until is ${JSON.stringify(stated)}, which is also since. until is exclusive, so no paper can be in this period. ${next}`,
    { argument: 'until', userMessage: 'The period ends when it begins. Choose a later end.' }
  )
}

interface Range { min_score?: number, max_score?: number, since?: string, until?: string }

const startOf = (day: string | undefined) => day === undefined ? undefined : new Date(`${day}T00:00:00Z`)

/** The scores and days of a request as a filter. @throws InvalidArguments if a range ends before it begins */
export function rangeOf ({ min_score, max_score, since, until }: Range) {
  const period = { since: startOf(since), until: startOf(until) }
  requireOrder(period, { since, until })
  if (min_score !== undefined && max_score !== undefined && min_score > max_score) {
    throw new InvalidArguments(`min_score is ${min_score}, which is more than max_score, ${max_score}. Swap them.`, {
      argument: 'min_score', userMessage: 'The range of scores ends before it begins. Swap its ends.'
    })
  }
  return {
    ...period,
    papers: min_score === undefined && max_score === undefined ? undefined : { minScore: min_score, maxScore: max_score }
  }
}
