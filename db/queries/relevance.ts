import { sql } from 'kysely'
import type { Relevance } from '../../schemas/relevance.js'
import type { Db } from '../connection.js'
import { type ItemValues, removeCandidates } from './import.js'

const firstId = '00000000-0000-0000-0000-000000000000'

/** What was learned, as it was saved; undefined while nothing was. */
export const findModel = (db: Db, projectId: string) =>
  db.selectFrom('relevance_model').select(['model', 'trained_at']).where('project_id', '=', projectId).executeTakeFirst()

/** What was learned, in words, without the rest of the model, which is large; undefined when the project is missing or another account's. */
export const findLessons = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('project').leftJoin('relevance_model', 'relevance_model.project_id', 'project.id')
    .select('relevance_model.trained_at').select(sql<unknown>`relevance_model.model->'lessons'`.as('lessons'))
    .where('project.account_id', '=', accountId).where('project.id', '=', projectId).executeTakeFirst()

export const saveModel = (db: Db, projectId: string, model: object, trainedAt: Date) =>
  db.insertInto('relevance_model').values({ project_id: projectId, model: JSON.stringify(model), trained_at: trainedAt })
    .onConflict(conflict => conflict.column('project_id').doUpdateSet({ model: JSON.stringify(model), trained_at: trainedAt })).execute()

export const deleteModel = (db: Db, projectId: string) => db.deleteFrom('relevance_model').where('project_id', '=', projectId).execute()

/** The votes of a feed with the texts they were given to, the newest ones first. */
export const listJudged = (db: Db, projectId: string, limit: number) =>
  db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['paper.id as paper_id', 'paper.title', 'paper.abstract', 'project_paper.downvote_reason'])
    .select(sql<'upvote' | 'downvote' | 'star'>`project_paper.vote`.as('vote'))
    .where('project_id', '=', projectId).where('vote', 'is not', null).orderBy('voted_at', 'desc').orderBy('paper.id').limit(limit).execute()

/** Unrated items of a feed, any of them: ids are random, so that those from any id on are a sample. */
export const sampleUnrated = (db: Db, projectId: string, limit: number) =>
  db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id').select(['paper.title', 'paper.abstract'])
    .where('project_id', '=', projectId).where('vote', 'is', null).orderBy('project_paper.id').limit(limit).execute()

/** Items of a feed in pieces, by id. */
export async function * walkItems (db: Db, projectId: string, size: number) {
  for (let last = firstId; ;) {
    const items = await db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
      .select(['project_paper.id', 'paper.title', 'paper.abstract', 'project_paper.relevance_score', 'project_paper.relevance_class', 'project_paper.personalized_note'])
      .select(['project_paper.origin', 'project_paper.vote', 'project_paper.ready_at'])
      .where('project_id', '=', projectId).where('project_paper.id', '>', last).orderBy('project_paper.id').limit(size).execute()
    if (items.length === 0) return
    yield items
    last = items.at(-1)!.id
  }
}

type Scores = Relevance & { id: string }

export async function replaceScores (db: Db, scores: readonly Scores[]): Promise<void> {
  if (scores.length === 0) return
  await sql`
    update project_paper set relevance_score = scored.relevance_score, relevance_class = scored.relevance_class,
      matching_details = scored.matching_details, personalized_note = scored.personalized_note
    from jsonb_to_recordset(${JSON.stringify(scores)}::jsonb) as scored (id uuid, relevance_score float8, relevance_class text, matching_details jsonb, personalized_note text)
    where project_paper.id = scored.id`.execute(db)
}

const candidateColumns = [
  'paper.id as paper_id', 'paper.title', 'paper.abstract', 'paper.authors', 'paper.doi', 'paper.arxiv_id', 'paper.pmid', 'paper.pmcid', 'paper.openalex_id',
  'candidate.relevance_score', 'candidate.found_at'
] as const

/** Fetched papers that the feed does not show, found since a time. */
export async function * walkCandidates (db: Db, projectId: string, since: Date, size: number) {
  for (let last = firstId; ;) {
    const candidates = await db.selectFrom('candidate').innerJoin('paper', 'paper.id', 'candidate.paper_id').select(candidateColumns)
      .where('candidate.project_id', '=', projectId).where('candidate.found_at', '>=', since).where('candidate.paper_id', '>', last)
      .orderBy('candidate.paper_id').limit(size).execute()
    if (candidates.length === 0) return
    yield candidates
    last = candidates.at(-1)!.paper_id
  }
}

/** Notes papers that the feed does not show; one that is noted already keeps its time. */
export async function addCandidates (db: Db, candidates: ReadonlyArray<{ project_id: string, paper_id: string, relevance_score: number, found_at: Date }>): Promise<void> {
  if (candidates.length === 0) return
  await db.insertInto('candidate').values([...candidates])
    .onConflict(conflict => conflict.columns(['project_id', 'paper_id']).doUpdateSet(({ ref }) => ({ relevance_score: ref('excluded.relevance_score') }))).execute()
}

/** Moves candidates into the feed. */
export const promote = (db: Db, projectId: string, items: readonly ItemValues[]) =>
  db.transaction().execute(async transaction => {
    const entered = await transaction.insertInto('project_paper').values([...items])
      .onConflict(conflict => conflict.constraint('project_paper_once').doNothing()).returning('paper_id').execute()
    await removeCandidates(transaction, projectId, items)
    return entered.length
  })

/** Moves items that nobody rated out of the feed; they stay candidates. */
export const demote = (db: Db, projectId: string, ids: readonly string[]) =>
  db.transaction().execute(async transaction => {
    const gone = await transaction.deleteFrom('project_paper').where('project_id', '=', projectId).where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
      .where('vote', 'is', null).where('origin', '=', 'fetch').returning(['paper_id', 'relevance_score', 'ready_at']).execute()
    await addCandidates(transaction, gone.map(({ paper_id, relevance_score, ready_at }) => ({ project_id: projectId, paper_id, relevance_score, found_at: ready_at })))
    return gone.length
  })

/** Fetched items of a feed that nobody rated, since a time. */
export const listFetchedItems = (db: Db, projectId: string, since: Date, limit: number) =>
  db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'paper.id as paper_id', 'paper.title', 'paper.abstract', 'project_paper.relevance_score', 'project_paper.relevance_class'])
    .where('project_id', '=', projectId).where('origin', '=', 'fetch').where('vote', 'is', null).where('ready_at', '>=', since)
    .orderBy('ready_at', 'desc').orderBy('project_paper.id').limit(limit).execute()

/** @param id that project alone, where it is due */
export const listDueScoring = (db: Db, now: Date, id?: string) =>
  db.selectFrom('project').innerJoin('account', 'account.id', 'project.account_id').select(['project.id', 'project.account_id'])
    .where('scoring_due_at', '<=', now).where('account.disabled_at', 'is', null)
    .$if(id !== undefined, query => query.where('project.id', '=', id!)).limit(200).execute()

const scoringOf = (db: Db, projectId: string) =>
  db.selectFrom('project')
    .select(['id', 'account_id', 'interest_description', 'positive_keywords', 'negative_keywords', 'must_read_threshold', 'feed_threshold', 'settings_changed_at', 'scored_at', 'scoring_due_at'])
    .where('id', '=', projectId)

/** What a project's papers are scored by. */
export const findScoring = (db: Db, projectId: string) => scoringOf(db, projectId).executeTakeFirst()

/**
 * The same, which no change comes to until the transaction ends. It is held before anything of the feed, as votes and a deletion take
 * the project first: two who wait for each other would fail.
 */
export const holdScoring = (transaction: Db, projectId: string) => scoringOf(transaction, projectId).forShare().executeTakeFirst()

/** Says that the feed is scored as of a time, and no longer due, by the settings that were read: where those have changed meanwhile, neither holds. */
export async function markScored (db: Db, { id, settings_changed_at, scoring_due_at }: { id: string, settings_changed_at: Date | null, scoring_due_at: Date | null }, asOf: Date): Promise<void> {
  await db.updateTable('project').set({ scored_at: asOf }).where('id', '=', id).where('settings_changed_at', 'is not distinct from', settings_changed_at).execute()
  // Votes make it due again, too.
  if (scoring_due_at !== null) await db.updateTable('project').set({ scoring_due_at: null }).where('id', '=', id).where('scoring_due_at', '=', scoring_due_at).execute()
}

export const scheduleScoring = (db: Db, projectId: string, at: Date) =>
  db.updateTable('project').set({ scoring_due_at: at }).where('id', '=', projectId).execute()

export const deleteOldCandidates = (db: Db, before: Date) => db.deleteFrom('candidate').where('found_at', '<', before).execute()
