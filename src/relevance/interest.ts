import { dayMs } from '../../schemas/durations.js'
import { rescoringDays } from '../../schemas/project.js'
import type { Relevance, Signals } from '../../schemas/relevance.js'

/** A project's interest, and the minimum score of must-read papers, 0 to 1. */
export interface Interest {
  interest_description: string
  positive_keywords: readonly string[]
  negative_keywords: readonly string[]
  must_read_threshold: number
}

/** The text of a paper that is scored. */
export interface ScoredText {
  title: string
  abstract: string | null
  /** Its links to the project besides words. */
  signals?: Signals | undefined
}

/**
 * Whether a fetched paper enters a feed: its score reaches the threshold, or the project follows one of its authors by id, and it has no
 * excluded keyword. A name may be a namesake's, and a journal or institution publishes on everything.
 */
export const entersFeed = (
  { relevance_score, matching_details }: Pick<Relevance, 'relevance_score' | 'matching_details'>,
  { feed_threshold }: { feed_threshold: number }
): boolean =>
  !matching_details.excluded &&
  (relevance_score >= feed_threshold || (matching_details.follows?.some(({ kind, by }) => kind === 'author' && by === 'id') ?? false))

/** Whether a fetched paper enters a feed as soon as it is found. Under a weekly limit, it waits until all sources have answered. */
export const entersFeedAtOnce = (
  relevance: Parameters<typeof entersFeed>[0],
  project: { feed_threshold: number, weekly_limit: number }
): boolean => project.weekly_limit === 0 && entersFeed(relevance, project)

/** Start of the window in which fetched papers enter and leave a feed when its settings change. */
export const rescoringStart = (now: Date): Date => new Date(now.getTime() - rescoringDays * dayMs)
