import { findWeeklyLimit } from '../../db/queries/projects.js'
import { countUnratedSince, listRatings } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'
import type { Recall } from '../../schemas/statistics.js'
import { formatCount } from '../errors/validator.js'
import { estimateRecall, samplesOf, targetRecall } from './recall.js'

/** Older votes are left out: fewer relevant papers are known then, and the estimate is more cautious. */
const maxRatings = 5000

/**
 * Estimates how much of what matters in a feed was rated. A weekly limit allows no estimate: papers enter with the time when they were
 * found, and would count as if they had been there when earlier ones were rated. @param unrated papers of the feed without a vote
 */
export async function feedRecall (db: Db, accountId: string, projectId: string, unrated: number): Promise<Recall | null> {
  if (await findWeeklyLimit(db, accountId, projectId) !== 0) return null
  const votes = await listRatings(db, accountId, projectId, maxRatings)
  const ratings = votes.reverse().map(({ vote, voted_at, ready_at }) => ({
    isRelevant: vote !== 'downvote',
    ratedAt: voted_at!.getTime(),
    addedAt: ready_at.getTime()
  }))
  const samples = samplesOf(ratings)
  const times = samples.map(({ startsAt }) => new Date(startsAt)).reverse()
  const counts = times.length === 0 ? [] : await countUnratedSince(db, accountId, projectId, times)
  const unratedSince = samples.map((_sample, at) =>
    counts.reduce((sum, { time, unrated }) => sum + (Number(time) >= samples.length - at ? Number(unrated) : 0), 0))
  const { relevant, maxMissing, minRecall, isReached, votesToTarget } = estimateRecall({ ratings, unrated, unratedSince })
  const recall = {
    target: targetRecall,
    relevant,
    unrated,
    max_missing: maxMissing,
    min_recall: Math.floor(minRecall * 1000) / 1000,
    reached: isReached,
    votes_to_target: votesToTarget
  }
  return { sentence: sentenceOf(recall), ...recall }
}

/** The estimate in words, for readers. */
function sentenceOf ({ relevant, reached, votes_to_target }: Omit<Recall, 'sentence'>): string {
  if (relevant === 0) return 'Upvote what matters and downvote what does not: then this page estimates how much you have missed.'
  const seen = `seen at least ${100 * targetRecall} % of what matters here`
  return reached
    ? `You have probably ${seen}.`
    : `Rate about ${formatCount(roundedUp(votes_to_target), 'more paper')}, best first: if none of them matters, you have probably ${seen}.`
}

/** Two digits are as much as an estimate can promise. */
const roundedUp = (count: number) => count < 100 ? count : Math.ceil(count / 10) * 10
