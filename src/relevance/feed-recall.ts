import { LRUCache } from 'lru-cache'
import { candidateRetentionDays } from '../../schemas/candidate.js'
import { dayMs, minuteMs } from '../../schemas/durations.js'
import { rescoringDays } from '../../schemas/project.js'
import { listFormerInterests } from '../../db/queries/former-interests.js'
import {
  countFormerlyRated, countLeftSince, countUnratedSince, findNthNewestItem, findRecallSettings, listRatings, type Period
} from '../../db/queries/recall.js'
import { countExcluded } from '../../db/queries/weekly-selection.js'
import type { Db } from '../../db/connection.js'
import type { ProjectDetails } from '../../db/queries/projects.js'
import type { Caller } from '../../db/caller.js'
import type { Recall } from '../../schemas/recall.js'
import { formatQuantity } from '../input/validator.js'
import { feedState, type Learning } from './feed-state.js'
import { rescoringStart } from './interest.js'
import { votingPeriods } from './interest-change.js'
import { estimateRecall, recallConfidence, type Rating, type RecallEstimate, type Sample, samplesOf, targetRecall } from './recall.js'

/** Older votes are excluded: fewer relevant papers are known then, and the estimate is more cautious. */
const maxRatings = 5000
/** Newest papers of a feed that are counted. Of votes before more of them, nothing is known: any paper may have been added since. */
const maxCounted = 5000
/** Papers leave a feed some weeks after they were found at most, and are known for 90 days: for so long, all that left are. */
const leftKnownMs = (candidateRetentionDays - rescoringDays - 7) * dayMs

/** The account and the clock of an estimate. */
interface RecallContext extends Caller { now: () => Date }

/**
 * Estimates how much of what matters in a feed was rated. Votes say nothing about papers that a weekly limit excluded: at most all of them
 * are relevant, and most likely as many as their scores predict. @param unrated papers of the feed without a vote
 */
export async function feedRecall (
  { db, account: { id: accountId }, now }: RecallContext,
  projectId: string,
  unrated: number
): Promise<Recall> {
  const { interestSince, alike, itemsLeftAt, state } = await findStarts(db, accountId, projectId)
  const { ratings, repeated } = await listFirstRatings(db, accountId, projectId, { since: interestSince.votes, earlier: alike.counted })
  const samples = samplesOf(ratings)
  const counts = await countSince(db, accountId, projectId, { samples, unrated, itemsLeftAt, now: now() })
  const excluded = await excludedPapers(db, accountId, projectId, { since: interestSince.scores, state })
  const former = await countFormerlyRated(db, accountId, projectId, { until: interestSince.changed, except: alike.all })
  const inFeed = estimateRecall({ ratings, repeated, unrated, former, ...counts })
  const { relevant, isReached } = inFeed
  const maxMissing = inFeed.maxMissing + excluded.papers
  const recall = {
    target: targetRecall,
    confidence: recallConfidence,
    relevant,
    unrated,
    excluded: excluded.papers,
    estimate: relevant === 0 ? null : roundedDown(relevant / (relevant + inFeed.likelyMissing + excluded.expected)),
    min_recall: relevant === 0 ? Number(isReached && maxMissing === 0) : roundedDown(relevant / (relevant + maxMissing)),
    max_missing: maxMissing,
    reached: isReached && relevant >= targetRecall * (relevant + maxMissing),
    reached_in_feed: isReached,
    votes_to_target: inFeed.votesToTarget,
    level: inFeed.level,
    next_level: inFeed.next?.level ?? null,
    votes_to_next_level: inFeed.next?.votes ?? 0
  }
  const feed = { rated: ratings.length + repeated.length, formerlyRated: former, unrated, ...inFeed }
  return { sentence: sentenceOf(recall, feed), ...recall }
}

/**
 * Since when votes, and papers outside the feed by their scores, speak for the present interest (null: all do), earlier periods with a
 * similar one and those of which votes count, when papers last left the feed, and the settings and times that change with its candidates.
 */
async function findStarts (db: Db, accountId: string, projectId: string) {
  const settings = await findRecallSettings(db, accountId, projectId)
  if (settings === undefined) {
    const interestSince = { votes: null, changed: null, scores: null }
    return { interestSince, alike: { all: [], counted: [] }, itemsLeftAt: null, state: null }
  }
  // `updated_at` stands for the interest, which may be long.
  const { interest_description: _text, positive_keywords: _words, ...times } = settings
  const { recall_since: recallSince, items_left_at: itemsLeftAt, ...state } = times
  const { since: changed, alike: all } = await votingPeriods(settings, await listFormerInterests(db, accountId, projectId))
  const votes = changed !== null && recallSince !== null && changed < recallSince ? recallSince : changed ?? recallSince
  const counted = recallSince === null
    ? all
    : all.filter(({ until }) => until > recallSince)
      .map(({ after, until }) => ({ after: after === null || after < recallSince ? recallSince : after, until }))
  const interestSince = { votes, changed, scores: changed && rescoringStart(changed) }
  return { interestSince, alike: { all, counted }, itemsLeftAt, state }
}

/** By project and settings. Candidates that neither a fetch nor a rescoring changes show after this time. */
const excludedCounts = new LRUCache<string, Awaited<ReturnType<typeof countExcluded>>>({ max: 1000, ttl: 5 * minuteMs })

/** The papers that a weekly limit excludes, counted again only after fetches, rescorings and changes of settings: there may be 50,000. */
async function excludedPapers (
  db: Db,
  accountId: string,
  projectId: string,
  { since, state }: { since: Date | null, state: object | null }
): ReturnType<typeof countExcluded> {
  const key = JSON.stringify([accountId, projectId, since, state])
  const known = excludedCounts.get(key)
  if (known !== undefined) return known
  const counts = await countExcluded(db, accountId, projectId, since)
  excludedCounts.set(key, counts)
  return counts
}

/**
 * Papers by the time when they were first rated, oldest first, with their present votes: those first rated since the present interest, and
 * those whose older votes were repeated or changed since, or were given in earlier periods with a similar interest.
 */
async function listFirstRatings (
  db: Db,
  accountId: string,
  projectId: string,
  { since, earlier }: { since: Date | null, earlier: readonly Period[] }
): Promise<{ ratings: Rating[], repeated: Rating[] }> {
  const votes = await listRatings(db, accountId, projectId, { since, earlier, limit: maxRatings })
  // Of papers first rated before the oldest vote that was read, some are missing.
  const complete = votes.length < maxRatings ? -Infinity : votes.at(-1)!.voted_at.getTime()
  const known = votes.reverse()
    .map(({ vote, rated_at, added_at, rated_weight: weight }) =>
      ({ isRelevant: vote !== 'downvote', ratedAt: rated_at.getTime(), addedAt: added_at.getTime(), weight }))
    .filter(({ ratedAt }) => ratedAt >= complete)
    .sort((a, b) => a.ratedAt - b.ratedAt)
  const start = since?.getTime() ?? -Infinity
  return { ratings: known.filter(({ ratedAt }) => ratedAt > start), repeated: known.filter(({ ratedAt }) => ratedAt <= start) }
}

interface Counting { samples: readonly Sample[], unrated: number, itemsLeftAt: Date | null, now: Date }

/**
 * For each sample, newest first, the unrated papers that were added after it started, or all if it is not known what the feed was then,
 * and those that have left the feed since.
 */
async function countSince (
  db: Db,
  accountId: string,
  projectId: string,
  { samples, unrated, itemsLeftAt, now }: Counting
): Promise<{ unratedSince: number[], leftSince: number[] }> {
  if (samples.length === 0) return { unratedSince: [], leftSince: [] }
  const uncounted = (await findNthNewestItem(db, accountId, projectId, maxCounted))?.ready_at.getTime() ?? -Infinity
  const forgotten = Math.min(itemsLeftAt?.getTime() ?? -Infinity, now.getTime() - leftKnownMs)
  const times = samples.filter(({ startsAt }) => startsAt > uncounted && startsAt >= forgotten)
    .map(({ startsAt }) => new Date(startsAt)).reverse()
  const [added, left] = times.length === 0
    ? [[], []]
    : await Promise.all([
      countUnratedSince(db, accountId, projectId, times),
      itemsLeftAt === null ? [] : countLeftSince(db, accountId, projectId, times)
    ])
  const since = (counts: typeof added, at: number) =>
    counts.reduce((sum, { time, papers }) => sum + (Number(time) >= times.length - at ? Number(papers) : 0), 0)
  return {
    unratedSince: samples.map((_sample, at) => at >= times.length ? unrated : since(added, at)),
    leftSince: samples.map((_sample, at) => at >= times.length ? 0 : since(left, at))
  }
}

/** The main figures. */
type RecallSummary = Pick<Recall, 'sentence' | 'estimate' | 'min_recall' | 'votes_to_target' | 'reached' | 'reached_in_feed'>

/** By project and state of its feed. Papers that a fetch exchanges for as many others show after this time. */
const summaries = new LRUCache<string, RecallSummary>({ max: 1000, ttl: 5 * minuteMs })

/**
 * The main figures of `feedRecall`, estimated again only after votes, rescorings, fetches and changes of settings: agents read a project
 * often, and an estimate counts much of its feed. @param project one of the account's
 */
export async function recallSummary (context: RecallContext, project: ProjectDetails, learning: Learning): Promise<RecallSummary> {
  const state = feedState(project, learning)
  const known = summaries.get(state)
  if (known !== undefined) return known
  const recall = await feedRecall(context, project.id, project.unrated)
  const { sentence, estimate, min_recall, votes_to_target, reached, reached_in_feed } = recall
  const summary = { sentence, estimate, min_recall, votes_to_target, reached, reached_in_feed }
  summaries.set(state, summary)
  return summary
}

const roundedDown = (share: number) => Math.floor(share * 1000) / 1000

/** The figures of the feed alone, without excluded papers. */
interface FeedFigures
  extends Pick<RecallEstimate, 'likelyMissing' | 'maxMissing' | 'minRecall' | 'level' | 'next' | 'votesThatCount' | 'isOrderKnown'> {
  rated: number
  formerlyRated: number
  unrated: number
}

type WithNext<F extends FeedFigures> = F & { next: NonNullable<F['next']> }

/** The estimate in words, for readers. */
function sentenceOf ({ relevant, excluded, unrated, estimate }: Omit<Recall, 'sentence'>, feed: FeedFigures): string {
  const place = excluded === 0 ? 'here' : 'in this feed'
  const inFeed = unrated === 0 && feed.rated > 0 && feed.formerlyRated === 0
    ? `You have rated every paper ${place}, so none that matters is left.`
    : relevant === 0
      ? nothingRelevantSentence(feed, place)
      : hasTooFewVotes(relevant, feed)
        ? `Not enough votes for an estimate: about ${moreVotes(feed)}, best papers first, would show that you have seen at least ` +
          `${percentOf(feed.next.level)} of what matters ${place}, if all of them are downvotes.`
        : `${shareSentence(relevant, feed, place)}${nextSentence(feed)}${orderSentence(feed)}`
  const known = `${inFeed}${formerSentence(feed.formerlyRated)}`
  if (excluded === 0) return known
  const pronoun = excluded === 1 ? 'it' : 'them'
  const withExcluded = estimate === null || hasTooFewVotes(relevant, feed)
    ? ''
    : ` With ${pronoun}, you have most likely seen ${shareInWords(estimate)} of what matters.`
  return `${known} The weekly limit excluded ${formatQuantity(excluded, 'paper')}; your votes say nothing about ${pronoun}.${withExcluded}`
}

/** What votes say that have found nothing relevant. */
function nothingRelevantSentence (feed: FeedFigures, place: string): string {
  const { rated, unrated, maxMissing, next } = feed
  if (rated > 0 && next === null) return `Nothing that you rated ${place} matters, and most likely nothing else ${place} does.`
  if (rated === 0 || next === null || maxMissing > unrated / 2) {
    return 'Not enough votes for an estimate: upvote what matters and downvote what does not.'
  }
  const [others, verb] = [formatQuantity(unrated, 'paper'), maxMissing === 1 ? 'does' : 'do']
  return `Nothing that you rated ${place} matters; of the other ${others}, at most ${maxMissing.toLocaleString('en')} ${verb}. ` +
    `About ${moreVotes({ ...feed, next })} would show that none does, if all of them are downvotes.`
}

/** The papers whose votes say nothing about the present interest. */
function formerSentence (papers: number): string {
  if (papers === 0) return ''
  const [verb, pronoun] = papers === 1 ? ['has', 'it'] : ['have', 'them']
  return ` ${formatQuantity(papers, 'paper')} ${verb} a vote for a former interest only: vote on ${pronoun} again to count ${pronoun}.`
}

/** Whether the most likely share is below 1 %, which says only how few votes there are. */
const hasTooFewVotes = <F extends FeedFigures>(relevant: number, feed: F): feed is WithNext<F> =>
  feed.next !== null && feed.level === null && likelyShare(relevant, feed) < 0.01

const likelyShare = (relevant: number, { likelyMissing }: FeedFigures) => relevant / (relevant + likelyMissing)

/** The share that was rated: the level that the votes show, or the most likely share and its lower bound. */
function shareSentence (relevant: number, feed: FeedFigures, place: string): string {
  const { minRecall, level } = feed
  const share = likelyShare(relevant, feed)
  const [likely, least] = [shareInWords(share), percentOf(minRecall)]
  const bound = percentOf(share) === least ? '' : `, but it may be as little as ${least}`
  return level === null
    ? `You have most likely seen ${likely} of what matters ${place}${bound}.`
    : `You have probably seen at least ${percentOf(level)} of what matters ${place} (most likely ${likely}).`
}

/** The number of votes that would show the next level. */
const nextSentence = ({ next, ...feed }: FeedFigures): string => next === null
  ? ''
  : ` About ${moreVotes({ next, ...feed })}, best papers first, would make it at least ${percentOf(next.level)}, ` +
    'if all of them are downvotes.'

/** With fewer votes that count, readers see why. */
const minVotesThatCount = 0.8

/** What the estimate assumes of the order of votes, where their scores are not known, and how to give votes that show more. */
function orderSentence ({ votesThatCount, isOrderKnown }: FeedFigures): string {
  if (!isOrderKnown) return ' This assumes that you rated the best papers first.'
  return votesThatCount < minVotesThatCount ? ' Votes on papers with low scores show less: rate the best papers first.' : ''
}

/** Rounded, but not to more than there are papers to vote on. */
function moreVotes ({ next, unrated, formerlyRated }: WithNext<FeedFigures>): string {
  const votes = Math.min(roundedUp(next.votes), unrated + formerlyRated)
  return `${votes.toLocaleString('en')} more ${votes === 1 ? 'vote' : 'votes'}`
}

const shareInWords = (share: number): string => share === 1 ? 'all' : share < 0.01 ? percentOf(share) : `about ${percentOf(share)}`

/** Rounded down, since a share is never overstated. */
const percentOf = (share: number): string => `${share < 0.01 ? 'less than 1' : Math.floor(100 * share + 1e-9)} %`

/** Two digits are as much as an estimate can promise. */
const roundedUp = (count: number) => count < 100 ? count : Math.ceil(count / 10) * 10
