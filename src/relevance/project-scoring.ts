import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../db/connection.js'
import { findScoring, findTrainedAt, lockScoring } from '../../db/queries/relevance.js'
import type { Caller } from '../../db/caller.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../../schemas/relevance.js'
import { requireRecord } from '../errors/deleted-records.js'
import type { ProjectScoring } from '../papers/store-scored.js'
import type { ScoredText } from './interest.js'
import { learnedModel } from './learned-model.js'
import type { RelevanceWorker } from './worker.js'

interface ScoringContext extends Caller { relevance: RelevanceWorker, signal?: AbortSignal | undefined }

/** The settings by which a project's papers are scored. */
type Settings = NonNullable<Awaited<ReturnType<typeof findScoring>>>

interface ScoringOptions {
  /** Adds what links the records to the project besides words. */
  withSignals?: (settings: Settings, records: readonly PaperRecord[]) => Promise<ScoredText[]>
  /** Whether a paper with this relevance enters the feed. Default: every paper does. */
  entersFeed?: (relevance: Relevance, settings: Settings) => boolean
  /** Called in each transaction, after the project was locked; throws to store nothing. */
  lock?: ((transaction: Db) => Promise<void>) | undefined
}

/** Scores the papers of a project off the event loop, by its present settings and model. @throws DeletedMeanwhile */
export async function openProjectScoring (
  { db, account, relevance, signal }: ScoringContext,
  projectId: string,
  { withSignals = async (_settings, records) => [...records], entersFeed = () => true, lock }: ScoringOptions = {}
): Promise<ProjectScoring> {
  const settings = requireRecord(await findScoring(db, account.id, projectId))
  const trainedAt = await findTrainedAt(db, account.id, projectId)
  const model = await learnedModel(db, account.id, projectId)
  return {
    score: async records => await relevance.score(settings, model, await withSignals(settings, records), { owner: account.id, signal }),
    entersFeed: relevance => entersFeed(relevance, settings),
    async lock (transaction) {
      const { settings_changed_at } = requireRecord(await lockScoring(transaction, account.id, projectId))
      await lock?.(transaction)
      return isDeepStrictEqual(settings_changed_at, settings.settings_changed_at) &&
        isDeepStrictEqual(await findTrainedAt(transaction, account.id, projectId), trainedAt)
    }
  }
}
