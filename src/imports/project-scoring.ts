import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../db/connection.js'
import { findScoring, lockScoring } from '../../db/queries/relevance.js'
import { requireRecord } from '../errors/deleted-records.js'
import type { ProjectScoring } from '../papers/ingest-imported.js'
import { learnedModel } from '../relevance/learned-model.js'
import type { RelevanceWorker } from '../relevance/worker.js'

interface ScoringContext { db: Db, account: { id: string }, relevance: RelevanceWorker }

/**
 * Scores the papers of a project off the event loop, by its present settings and model.
 * @param lock called in each transaction, after the project was locked
 */
export async function openProjectScoring (
  { db, account, relevance }: ScoringContext,
  projectId: string,
  lock?: (transaction: Db) => Promise<void>
): Promise<ProjectScoring> {
  const project = requireRecord(await findScoring(db, account.id, projectId))
  const model = await learnedModel(db, account.id, projectId)
  return {
    score: async papers => await relevance.score(project, model, papers),
    async lock (transaction) {
      const { settings_changed_at } = requireRecord(await lockScoring(transaction, account.id, projectId))
      await lock?.(transaction)
      return isDeepStrictEqual(settings_changed_at, project.settings_changed_at)
    }
  }
}
