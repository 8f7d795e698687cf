import { findModel } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'
import type { Model } from './model.js'

/** The model learned from a project's votes; null without votes, or if its version is unknown. */
export async function learnedModel (db: Db, projectId: string): Promise<Model | null> {
  const model = (await findModel(db, projectId))?.model as Model | undefined
  return model?.version === 1 ? model : null
}

/** Votes come in bursts: the votes of a few seconds are learned together. */
const voteDebounceMs = 5000

/** Returns when a project learns from a vote. */
export const learningDueAt = (votedAt: Date): Date => new Date(votedAt.getTime() + voteDebounceMs)
