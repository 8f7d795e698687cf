import { sql } from 'kysely'
import { minuteMs } from '../../schemas/durations.js'
import type { LearningChanges } from '../../schemas/learning.js'
import { linksOf, type Relevance } from '../../schemas/relevance.js'
import type { Db } from '../connection.js'
import { listDue } from './due.js'
import { firstId } from './id-range.js'
import { isListedAfter, isListedThrough, isPaperAfter, readInIndexOrder, walkInIndexOrder } from './index-order.js'
import { isKept } from './item-state.js'
import { isOwnProject } from './ownership.js'
import { retryConflicts } from './retry.js'
import { nextScoring } from './scoring-due.js'

/** The project's model as saved; undefined without one. */
export const findModel = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('relevance_model').select(['model', 'trained_at'])
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).executeTakeFirst()

/** When the project's model was saved; undefined without one. */
export const findTrainedAt = async (db: Db, accountId: string, projectId: string): Promise<Date | undefined> =>
  (await db.selectFrom('relevance_model').select('trained_at')
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).executeTakeFirst())?.trained_at

/**
 * The lessons and the reliability of the project's model, without its large other fields; undefined if the project is missing or another
 * account's.
 */
export const findLessons = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project').leftJoin('relevance_model', 'relevance_model.project_id', 'project.id')
    .select('relevance_model.trained_at').select(sql<unknown>`relevance_model.model->'lessons'`.as('lessons'))
    .select(sql<unknown>`relevance_model.model->'reliability'`.as('reliability'))
    .where('project.account_id', '=', accountId).where('project.id', '=', projectId).executeTakeFirst()

/**
 * Saves the project's model, replacing an earlier one. Saves nothing if the project is missing or another account's. Waits for
 * transactions that hold `lockScoring`: what they store by the earlier model is there for the rescoring that follows.
 */
export const saveModel = (db: Db, accountId: string, projectId: string, model: object, trainedAt: Date) =>
  db.insertInto('relevance_model').columns(['project_id', 'model', 'trained_at'])
    .expression(({ selectFrom }) => selectFrom('project').select([
      'project.id',
      sql<string>`${JSON.stringify(model)}::jsonb`.as('model'),
      sql<Date>`${trainedAt}::timestamptz`.as('trained_at')
    ]).where('account_id', '=', accountId).where('project.id', '=', projectId).forNoKeyUpdate())
    .onConflict(conflict => conflict.column('project_id')
      .doUpdateSet(({ ref }) => ({ model: ref('excluded.model'), trained_at: ref('excluded.trained_at') }))).execute()

/** Deletes the project's model, if it has one. */
export const deleteModel = (db: Db, accountId: string, projectId: string) =>
  db.deleteFrom('relevance_model').where('project_id', '=', projectId).where(isOwnProject(accountId, projectId)).execute()

const selectVotes = (transaction: Db, accountId: string, projectId: string) =>
  transaction
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'paper.id as paper_id', 'paper.title', 'paper.abstract', 'project_paper.downvote_reason'])
    .select([sql<'upvote' | 'downvote' | 'star'>`vote`.as('vote'), sql<Date>`voted_at`.as('voted_at')])
    .select(sql<boolean>`voted_at <= ready_at`.as('isSeed'))
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .where('vote', 'is not', null)
    .orderBy('project_paper.voted_at', 'desc')
    .orderBy('project_paper.id')

/**
 * The votes on a feed with the texts of their papers, newest first, at most `batchSize` at a time. A paper whose vote was there when it
 * entered the feed is a seed: its owner brought it along.
 */
export const walkVotes = (db: Db, accountId: string, projectId: string, batchSize: number) =>
  walkInIndexOrder(db, async (transaction, last: { voted_at: Date, id: string } | undefined) => {
    const votes = selectVotes(transaction, accountId, projectId).limit(batchSize)
    if (last === undefined) return await votes.execute()
    // An import votes on thousands of papers at one time. One condition for both would read those before the last one again.
    const sameTime = await votes.where('voted_at', '=', last.voted_at).where('project_paper.id', '>', last.id).execute()
    return sameTime.length > 0 ? sameTime : await votes.where('voted_at', '<', last.voted_at).execute()
  })

/** Texts of a feed after one of them, by the id of their paper, which is random. */
const readScoringTexts = (transaction: Db, accountId: string, projectId: string, { last, limit, unrated }: TextRange) =>
  transaction
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['paper.id as paper_id', 'paper.title', 'paper.abstract'])
    .where(isPaperAfter('project_paper', sql`${projectId}::uuid`, last?.paper_id ?? firstId))
    .where(isOwnProject(accountId, projectId))
    .$if(unrated, query => query.where('vote', 'is', null))
    .orderBy('project_paper.project_id')
    .orderBy('project_paper.paper_id')
    .limit(limit)
    .execute()

interface TextRange { last: { paper_id: string } | undefined, limit: number, unrated: boolean }
const sampleBatchSize = 100
/** Several times as many as a thousand ordinary papers have: what reads a sample holds all of it in memory. */
const maxSampleCharacters = 10_000_000

/**
 * A sample of a feed's unrated papers: the lowest paper ids, which are random. Fewer if they are very long. Others run between its
 * statements.
 */
export async function sampleUnrated (db: Db, accountId: string, projectId: string, limit: number) {
  const sample: Awaited<ReturnType<typeof readScoringTexts>> = []
  let characters = 0
  for (let texts = sample; sample.length < limit && characters < maxSampleCharacters; sample.push(...texts)) {
    const range = { last: sample.at(-1), limit: Math.min(sampleBatchSize, limit - sample.length), unrated: true }
    texts = await readInIndexOrder(db, transaction => readScoringTexts(transaction, accountId, projectId, range))
    if (texts.length === 0) break
    characters += countCharacters(texts)
  }
  return sample
}

/** The length of titles and abstracts. */
export const countCharacters = (texts: ReadonlyArray<{ title: string, abstract: string | null }>): number =>
  texts.reduce((sum, { title, abstract }) => sum + title.length + (abstract?.length ?? 0), 0)

/** The texts of a feed, by the id of their paper, `batchSize` at a time. */
export const walkTexts = (db: Db, accountId: string, projectId: string, batchSize: number) =>
  walkInIndexOrder(db, (transaction, last: { paper_id: string } | undefined) =>
    readScoringTexts(transaction, accountId, projectId, { last, limit: batchSize, unrated: false }))

/** A place in a feed, newest first: right after this item. */
export type FeedPlace = Parameters<typeof isListedAfter>[0]

/**
 * Every item of a feed with its text, newest first, `batchSize` at a time. Most papers are stored in this order, so what reads and changes
 * a batch touches few pages.
 * @param part.after where to begin; default: with the newest item
 * @param part.through where to end; default: with the oldest item
 */
export const walkScoredItems = (
  db: Db,
  accountId: string,
  projectId: string,
  batchSize: number,
  { after, through }: { after?: FeedPlace | undefined, through?: FeedPlace | undefined } = {}
) =>
  walkInIndexOrder(db, (transaction, last: FeedPlace | undefined = after) => transaction
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'paper.id as paper_id', 'paper.title', 'paper.abstract'])
    .select(['project_paper.relevance_score', 'project_paper.relevance_class', 'project_paper.personalized_note'])
    .select(['project_paper.links', 'project_paper.origin', 'project_paper.ready_at'])
    .select(isKept.as('is_kept'))
    .where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId))
    .$if(last !== undefined, query => query.where(isListedAfter(last!)))
    .$if(through !== undefined, query => query.where(isListedThrough(through!)))
    .orderBy('project_paper.ready_at', 'desc')
    .orderBy('project_paper.id')
    .limit(batchSize)
    .execute())

type Scores = Relevance & { id: string }
/** Scores of one statement: a hundred, each with new entries in nine indexes, would hold the embedded database for more than 20 ms. */
const scoresPerStatement = 50

/** Saves new scores, with their explanations, of a feed's items. Others run between its statements. */
export async function replaceScores (db: Db, accountId: string, projectId: string, scores: readonly Scores[]): Promise<void> {
  for (let from = 0; from < scores.length; from += scoresPerStatement) {
    const rows = scores.slice(from, from + scoresPerStatement).map(score => ({ ...score, links: linksOf(score.matching_details) }))
    await retryConflicts(() => sql`
      update project_paper set relevance_score = scored.relevance_score, relevance_class = scored.relevance_class,
        matching_details = scored.matching_details, personalized_note = scored.personalized_note, links = scored.links
      from json_to_recordset(${JSON.stringify(rows)}::json) as scored (id uuid, relevance_score float8, relevance_class text,
      matching_details jsonb, personalized_note text, links smallint)
      where project_paper.id = scored.id and project_paper.project_id = ${projectId} and ${isOwnProject(accountId, projectId)}`.execute(db))
  }
}

/** A rescoring is due a few seconds after its cause. If it seems to be further away than this, the clock has been set back since. */
const maxScoringDelayMs = 10 * minuteMs

/**
 * Service-wide, for the ticker: projects of enabled accounts whose feed is due for rescoring; see `listDue`. Every vote moves the due time,
 * so only a change of settings ends the wait after a failure.
 */
export const listDueScoring = (db: Db, now: Date, id?: string) => {
  const due = db
    .selectFrom('project')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select(['project.id', 'project.account_id', 'scoring_due_at as due_at', 'settings_changed_at'])
    .where(({ or, eb }) => or([eb('scoring_due_at', '<=', now), eb('scoring_due_at', '>', new Date(now.getTime() + maxScoringDelayMs))]))
    .where('account.disabled_at', 'is', null)
  return listDue(db, 'score-project', due, id, { changedAt: 'settings_changed_at' })
}

const scoringColumns = [
  'id',
  'account_id',
  'interest_description',
  'positive_keywords',
  'negative_keywords',
  'must_read_threshold',
  'feed_threshold',
  'weekly_limit',
  'settings_changed_at',
  'scored_at',
  'scoring_due_at'
] as const

const selectScoring = (db: Db, accountId: string, projectId: string) =>
  db
    .selectFrom('project')
    .select(scoringColumns)
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)

/** Has the account's project rescored from a time on, or earlier where votes wait. @param latest until when further calls delay it */
export const scheduleScoring = (db: Db, accountId: string, projectId: string, scoreAt: Date, latest: Date | null = null) =>
  db.updateTable('project').set(nextScoring(scoreAt, latest)).where('account_id', '=', accountId).where('id', '=', projectId).execute()

/** Schedules the first rescoring of a feed that has no model but enough papers for one, unless it is due already. */
export async function scheduleFirstScoring (
  db: Db,
  accountId: string,
  projectId: string,
  { minPapers, scoreAt }: { minPapers: number, scoreAt: Date }
): Promise<void> {
  await db
    .updateTable('project')
    .set({ scoring_due_at: scoreAt })
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .where('scoring_due_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('relevance_model').select('project_id').where('project_id', '=', projectId)))
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('project_paper')
          .select('id')
          .where('project_id', '=', projectId)
          .limit(1)
          .offset(minPapers - 1)
      )
    )
    .execute()
}

/** The settings by which a project's papers are scored; undefined if the project is missing or another account's. */
export const findScoring = (db: Db, accountId: string, projectId: string) => selectScoring(db, accountId, projectId).executeTakeFirst()

/** The same, before the feed is rescored: votes from now on wait for the next rescoring. */
export const beginScoring = (db: Db, accountId: string, projectId: string) =>
  db
    .updateTable('project')
    .set({ scoring_latest_at: null })
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .returning(scoringColumns)
    .executeTakeFirst()

/**
 * The same, locked against changes until the transaction ends. Call it before reading the feed: votes and deletions lock the project first,
 * and another order could deadlock.
 */
export const lockScoring = (transaction: Db, accountId: string, projectId: string) =>
  selectScoring(transaction, accountId, projectId).forShare().executeTakeFirst()

interface ScoredProject { id: string, account_id: string, settings_changed_at: Date | null, scoring_due_at: Date | null }

/**
 * Records that the feed was scored with these settings, as of a time, and clears its due time. Skips either if it changed since the
 * settings were read.
 */
export async function markScored (
  db: Db,
  { id, account_id, settings_changed_at, scoring_due_at }: ScoredProject,
  asOf: Date
): Promise<void> {
  await db
    .updateTable('project')
    .set({ scored_at: asOf })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('settings_changed_at', 'is not distinct from', settings_changed_at)
    .execute()
  // Votes set a new due time too.
  if (scoring_due_at !== null) {
    await db
      .updateTable('project')
      .set({ scoring_due_at: null })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('scoring_due_at', '=', scoring_due_at)
      .execute()
  }
}

/** Records how a rescoring changed the feed. */
export const saveLearned = (db: Db, accountId: string, projectId: string, learned: LearningChanges, learnedAt: Date) =>
  db
    .updateTable('project')
    .set({ learned: JSON.stringify(learned), learned_at: learnedAt })
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .execute()
