import type { Caller } from '../../db/caller.js'
import type { Db } from '../../db/connection.js'
import { demoteItems, promoteCandidates, replaceCandidateScores, walkCandidates } from '../../db/queries/candidates.js'
import type { ItemValues } from '../../db/queries/import.js'
import { findLearning } from '../../db/queries/projects.js'
import {
  beginScoring,
  deleteModel,
  type FeedPlace,
  findLessons,
  type findScoring,
  markScored,
  replaceScores,
  sampleUnrated,
  saveLearned,
  saveModel,
  walkScoredItems,
  walkTexts
} from '../../db/queries/relevance.js'
import { compactTally } from '../../db/queries/tally.js'
import { minuteMs } from '../../schemas/durations.js'
import { linksOf, type Relevance } from '../../schemas/relevance.js'
import { mondayOf } from '../../schemas/utc-time.js'
import { ProjectNotFound } from '../errors/operation-errors.js'
import { itemOf } from '../papers/feed-item.js'
import { countedTexts } from './counted-texts.js'
import { entersFeed, rescoringStart } from './interest.js'
import { minModelPapers } from './learned-model.js'
import { LearningRecorder } from './learning-changes.js'
import type { Lessons } from './lessons.js'
import type { Model } from './model.js'
import { prefetch, workAhead } from './prefetch.js'
import { type SignalReader, signalReader } from './signals.js'
import { readTrainingVotes } from './training-votes.js'
import { firstWeek } from './weekly-best.js'
import { selectWeeklyBest } from './weekly-selection.js'
import type { RelevanceWorker } from './worker.js'

/** Few, so that no statement holds up others on the embedded database for long. */
const batchSize = 100
/** Older votes say less about the current interest. */
const maxVotes = 5000
/** Twice as many as 5,000 ordinary papers have: all are in memory at the same time. */
const maxVoteCharacters = 20_000_000
const backgroundSize = 1000
/** Votes by which the weight of citations is learned: those that are held out to see what others predict. */
const maxLinkedVotes = 500
/** Batches after which the tally is compacted: each adds rows to it, which every reader of the project sums up. */
const batchesPerCompaction = 50
/**
 * A model scores for at least so long before newer votes replace it, since learning takes seconds. A rescoring learns from new votes for at
 * most so long, so that its end, which promotes papers, comes.
 */
const [minModelMs, maxLearningMs] = [10_000, 5 * minuteMs]
/** Smaller changes of a score are not worth a write: absolute ones are invisible, relative ones change the order of low scores little. */
const minScoreChange = { absolute: 0.004, relative: 0.1 }

/** What a rescoring uses. */
export interface RescoringContext extends Caller {
  now: () => Date
  relevance: RelevanceWorker
  signal?: AbortSignal | undefined
  /** Called with the number of papers that entered the feed, before the rescoring is recorded as done. */
  onAdded: (project: { id: string, account_id: string }, count: number) => Promise<void>
}

/** What a rescoring changed. */
interface Rescored { scored: number, changed: number, added: number, dropped: number, votes: number }

/**
 * Learns from a feed's votes, rescores its items, and promotes candidates of the last 30 days that now match. After a change of settings,
 * it also demotes fetched papers of those days that no longer match and have neither a vote nor a mark of their owner; learning alone
 * demotes nothing, except that a weekly limit lets better papers displace unseen ones of the same week. Memory use does not depend on the
 * length of the feed. @throws ProjectNotFound
 */
export async function rescoreFeed (context: RescoringContext, projectId: string): Promise<Rescored> {
  const { db, account, now } = context
  const before = (await findLessons(db, account.id, projectId))?.lessons as Lessons | null | undefined
  const items = { scored: 0, changed: 0, dropped: 0 }
  const recorder = new LearningRecorder()
  const learnsUntil = now().getTime() + maxLearningMs
  for (let place: FeedPlace | undefined; ;) {
    const { project, run } = await beginRun(context, projectId, recorder)
    const { reached, ...counts } = await rescoreItems(context, project, run, { place, learnsUntil })
    for (const count of ['scored', 'changed', 'dropped'] as const) items[count] += counts[count]
    place = reached
    if (place !== undefined) continue
    const promoted = await scoreCandidates(context, project, run)
    const selected = await finishScoring(context, project, run, { before: before ?? undefined, promoted })
    return { ...items, added: promoted + selected.added, dropped: items.dropped + selected.dropped, votes: run.votes }
  }
}

type Scoring = NonNullable<Awaited<ReturnType<typeof findScoring>>>

/** Input of scoring a feed; the model is null with too few papers to learn from. */
interface Learned { model: Model | null, signals: SignalReader, votes: number }

/** A scoring under way. */
interface Run extends Learned {
  started: Date
  learnedAt: Date
  /** Whether the settings of the project changed since it was last scored. */
  settingsChanged: boolean
  recorder: LearningRecorder
}

/** Reads the settings and learns from the votes. @throws ProjectNotFound */
async function beginRun (
  context: RescoringContext, projectId: string, recorder: LearningRecorder
): Promise<{ project: Scoring, run: Run }> {
  const { db, account, now } = context
  const started = now()
  const project = await beginScoring(db, account.id, projectId)
  if (project === undefined) throw new ProjectNotFound(projectId)
  const learned = await learn(context, project)
  const settingsChanged = project.scored_at !== null &&
    project.settings_changed_at !== null &&
    project.settings_changed_at > project.scored_at
  return { project, run: { ...learned, started, learnedAt: now(), settingsChanged, recorder } }
}

/** Learns a model from the newest votes and saves it. @returns it, and the number of votes */
async function learn (context: RescoringContext, project: Scoring): Promise<Learned> {
  const { db, account, now, relevance, signal } = context
  const { votes, former } = await readTrainingVotes(db, account.id, project.id, { maxVotes, maxCharacters: maxVoteCharacters })
  const signals = await signalReader(db, account.id, project.id)
  const background = await sampleUnrated(db, account.id, project.id, backgroundSize)
  const rated = await withLinks(signals, votes)
  const texts = countedTexts(walkTexts(db, account.id, project.id, batchSize), rated)
  const learning = { interest: project, texts, rated, background, former }
  const model = votes.length === 0 && background.length < minModelPapers
    ? null
    : await relevance.train(learning, { owner: account.id, signal, isBackground: true })
  if (model === null) await deleteModel(db, account.id, project.id)
  else await saveModel(db, account.id, project.id, model, now())
  signal?.throwIfAborted()
  return { model, signals, votes: votes.length }
}

/** Where a scoring of a feed begins, and until when it stops for new votes. */
interface Pass { place: FeedPlace | undefined, learnsUntil: number }

/**
 * Scores the items of the feed, and demotes those that left it by a change of settings. Begins after a place and ends there, so that a
 * newer model continues where the former one stopped and scores no item twice.
 * @returns counts, and the place where new votes became due; undefined when all items are scored
 */
async function rescoreItems (
  { db, account, now, relevance, signal }: RescoringContext,
  project: Scoring,
  { started, learnedAt, settingsChanged, model, signals, recorder }: Run,
  { place, learnsUntil }: Pass
): Promise<{ scored: number, changed: number, dropped: number, reached: FeedPlace | undefined }> {
  const since = rescoringStart(started)
  const result = { scored: 0, changed: 0, dropped: 0 }
  let reached: FeedPlace | undefined
  // Four batches are under way, one in each step: items are read, their links found, scored and written.
  const linked = workAhead(prefetch(walkAround(db, account.id, project.id, place)), signals.ofPapers)
  const scored = workAhead(
    linked,
    async items => ({ items, scores: await relevance.score(project, model, items, { owner: account.id, signal }) })
  )
  let writing: Promise<unknown> = Promise.resolve()
  try {
    for await (const { items, scores } of scored) {
      const changed = items.map(({ id }, at) => ({ id, ...scores[at]! })).filter((score, at) => differs(items[at]!, score))
      await writing
      writing = replaceScores(db, account.id, project.id, changed)
      writing.catch(() => {})
      result.scored += items.length
      result.changed += changed.length
      const leaving = new Set(settingsChanged
        ? items.filter((item, at) =>
          item.origin === 'fetch' && !item.is_kept && item.ready_at >= since && !entersFeed(scores[at]!, project))
        : [])
      for (const [at, item] of items.entries()) {
        if (leaving.has(item)) recorder.left(item)
        else recorder.rescored(item, scores[at]!.relevance_score)
      }
      if (leaving.size > 0) {
        await writing
        result.dropped += await demoteItems(db, account.id, project.id, [...leaving].map(({ id }) => id), now())
      }
      if (result.scored % (batchesPerCompaction * batchSize) === 0) await compactTally(db, project.id)
      signal?.throwIfAborted()
      const time = now().getTime()
      if (time - learnedAt.getTime() >= minModelMs && time < learnsUntil && await isDueAgain(db, project, now())) {
        reached = items.at(-1)
        break
      }
    }
    await writing
  } finally {
    // After a failure, no write may run on beside the retry.
    await writing.catch(() => {})
  }
  return { ...result, reached }
}

/** The items of a feed from a place to its end, then those from its beginning to the place. */
async function * walkAround (db: Db, accountId: string, projectId: string, place: FeedPlace | undefined) {
  if (place !== undefined) yield * walkScoredItems(db, accountId, projectId, batchSize, { after: place })
  yield * walkScoredItems(db, accountId, projectId, batchSize, { through: place })
}

/** Whether votes, or settings, that came after the settings were read are due to be learned. */
async function isDueAgain (db: Db, { id, account_id, scoring_due_at }: Scoring, now: Date): Promise<boolean> {
  const due = (await findLearning(db, account_id, id))?.scoring_due_at ?? null
  return due !== null && due <= now && due.getTime() !== scoring_due_at?.getTime()
}

/**
 * Selects the best papers of the weeks under a weekly limit, and saves what the feed has learned.
 * @returns how many papers the selection moved
 */
async function finishScoring (
  context: RescoringContext,
  project: Scoring,
  { started, settingsChanged, model, signals, votes, recorder }: Run,
  { before, promoted }: { before: Lessons | undefined, promoted: number }
): Promise<{ added: number, dropped: number }> {
  const { db, account, now } = context
  const since = settingsChanged ? firstWeek(started) : mondayOf(started)
  const selected = await selectWeeklyBest(context, project, { model, signals, since, displacesSeen: settingsChanged, recorder })
  await context.onAdded(project, promoted + selected.added)
  await compactTally(db, project.id)
  const changes = recorder.changes({ votes, before, after: model?.lessons })
  await saveLearned(db, account.id, project.id, changes, now())
  await markScored(db, project, started)
  return selected
}

/** Adds the citation links of the newest votes, from which their weight is learned. */
async function withLinks<T extends { paper_id: string }> (signals: SignalReader, votes: readonly T[]) {
  return [...await signals.ofPapers(votes.slice(0, maxLinkedVotes)), ...votes.slice(maxLinkedVotes)]
}

/**
 * Promotes candidates that match now and saves the scores of the others, by which they are listed. Under a weekly limit, it promotes none:
 * they compete by their scores.
 */
async function scoreCandidates (
  { db, account, now, relevance, signal }: RescoringContext,
  project: Scoring,
  { model, signals, recorder }: Run
): Promise<number> {
  let added = 0
  let writing: Promise<unknown> = Promise.resolve()
  try {
    for await (const candidates of walkCandidates(db, account.id, project.id, rescoringStart(now()), batchSize)) {
      const scores = await relevance.score(project, model, await signals.ofPapers(candidates), { owner: account.id, signal })
      const isLimited = project.weekly_limit > 0
      const entering: ItemValues[] = []
      const rescored: Array<{ paper_id: string, relevance_score: number }> = []
      for (const [at, { paper_id, arxiv_id, pmid, pmcid, openalex_id, ...paper }] of candidates.entries()) {
        const score = scores[at]!
        if (isLimited || !entersFeed(score, project)) {
          const { relevance_score } = score
          // Exact scores only where papers compete for places: each change writes to an index.
          const competes = isLimited && Math.max(relevance_score, paper.relevance_score) >= project.feed_threshold
          const isWritten = competes ? relevance_score !== paper.relevance_score : isNoticeable(paper, score)
          if (isWritten) rescored.push({ paper_id, relevance_score })
          continue
        }
        const record = { ...paper, external_ids: { arxiv: arxiv_id, pmid, pmcid, openalex: openalex_id } }
        recorder.entered({ paper_id, title: paper.title }, score.relevance_score)
        entering.push(itemOf({ id: paper_id, record }, { projectId: project.id, relevance: score, readyAt: now(), origin: 'fetch' }))
      }
      // Save the scores of a batch while the next one is read and scored.
      await writing
      if (entering.length > 0) added += await promoteCandidates(db, account.id, project.id, entering)
      writing = replaceCandidateScores(db, account.id, project.id, rescored)
      writing.catch(() => {})
      signal?.throwIfAborted()
    }
    await writing
  } finally {
    // After a failure, no write may run on beside the retry.
    await writing.catch(() => {})
  }
  return added
}

/** Whether a change of a score is worth a write. */
const isNoticeable = (stored: { relevance_score: number }, score: Relevance) =>
  Math.abs(stored.relevance_score - score.relevance_score) >
    Math.min(minScoreChange.absolute, minScoreChange.relative * stored.relevance_score)

interface StoredScore { relevance_score: number, relevance_class: string, personalized_note: string | null, links: number }

const differs = (item: StoredScore, score: Relevance) =>
  isNoticeable(item, score) ||
    item.relevance_class !== score.relevance_class ||
    item.personalized_note !== score.personalized_note ||
    item.links !== linksOf(score.matching_details)
