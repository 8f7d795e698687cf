import { dayMs } from '../../schemas/durations.js'
import { mondayOf } from '../../schemas/utc-time.js'
import { rescoringStart } from './interest.js'

/** The first week that a settings change affects: the first complete one in the rescoring window. */
export const firstWeek = (now: Date): Date => mondayOf(new Date(rescoringStart(now).getTime() + 7 * dayMs - 1))

/** A paper that competes with those of its week. */
export interface Ranked {
  /** When it was found. */
  at: Date
  score: number
  isInFeed: boolean
  /** Whether it stays in the feed and takes a place, however low its score. */
  isKept: boolean
}

/**
 * The best papers of each week, after the kept ones. Of equal ones, those that are in the feed already stay. db/queries/weekly-selection.ts
 * does the same for stored scores.
 */
export function bestOfWeeks<T extends Ranked> (papers: readonly T[], limit: number): Set<T> {
  const weeks = new Map<number, T[]>()
  for (const paper of papers) {
    const week = mondayOf(paper.at).getTime()
    const others = weeks.get(week)
    if (others === undefined) weeks.set(week, [paper])
    else others.push(paper)
  }
  const best = [...weeks.values()].flatMap(week =>
    week
      .sort((a, b) =>
        Number(b.isKept) - Number(a.isKept) ||
        b.score - a.score ||
        Number(b.isInFeed) - Number(a.isInFeed) ||
        a.at.getTime() - b.at.getTime())
      .slice(0, limit)
  )
  return new Set(best)
}
