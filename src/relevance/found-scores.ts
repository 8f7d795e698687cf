import { LRUCache } from 'lru-cache'
import type { Caller } from '../../db/caller.js'
import { countFoundScores } from '../../db/queries/found-scores.js'
import type { ProjectDetails } from '../../db/queries/projects.js'
import { minuteMs } from '../../schemas/durations.js'
import { feedState, type Learning } from './feed-state.js'

/** Time for which counts hold while the state of a feed stays the same. */
const validMs = 5 * minuteMs

interface FoundScores { since: Date, papers: number[] }

/** By state of a feed, with the time until which they hold. */
const known = new LRUCache<string, FoundScores & { until: number }>({ max: 1000 })

/**
 * Numbers of the fetched papers of a period by the hundredth of their score, of which the last includes 1. Counted again only after votes,
 * rescorings, fetches and changes of settings: there may be 100,000 papers. @param project one of the account's
 */
export async function foundScores (
  { db, account, now }: Caller & { now: () => Date },
  project: ProjectDetails,
  learning: Learning,
  periodMs: number
): Promise<FoundScores> {
  const state = feedState(project, learning)
  const time = now().getTime()
  const former = known.get(state)
  if (former !== undefined && time < former.until) return former
  const since = new Date(time - periodMs)
  const papers = Array.from({ length: 100 }, () => 0)
  for (const { hundredth, papers: count } of await countFoundScores(db, account.id, project.id, since)) papers[hundredth] = count
  const scores = { since, papers, until: time + validMs }
  known.set(state, scores)
  return scores
}
