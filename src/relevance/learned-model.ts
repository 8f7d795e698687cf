import { findModel } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'
import type { Learning } from '../../schemas/learning.js'
import type { Model } from './model.js'

/** The model learned from a project's feed and votes; null before the first learning, or if its version is unknown. */
export async function learnedModel (db: Db, accountId: string, projectId: string): Promise<Model | null> {
  const model = (await findModel(db, accountId, projectId))?.model as Model | undefined
  return model?.version === 7 ? model : null
}

/** Votes come in bursts: the votes of a few seconds are learned together. */
const voteDebounceMs = 5000
/** Votes without a pause between them cannot postpone the rescoring for longer. */
const maxVoteDelayMs = 30_000

/** From the due time on: the ticker finds it within five seconds, and the job waits for others and scores the feed. */
const maxLearningMs = 55_000

interface LearningRow { learned_at: Date | null, scoring_due_at: Date | null }

/** Returns when a project's votes take effect. */
export const learningOf = ({ learned_at, scoring_due_at }: LearningRow): Learning => ({
  learned_at: learned_at?.toISOString() ?? null,
  pending: scoring_due_at !== null,
  effective_by: scoring_due_at === null ? null : new Date(scoring_due_at.getTime() + maxLearningMs).toISOString()
})

/** Without votes, a feed has a model from this many papers on: they tell which words of the interest are rare, and what goes with them. */
export const minModelPapers = 100

/** Returns when a project learns from a vote. */
export const learningDueAt = (votedAt: Date): Date => new Date(votedAt.getTime() + voteDebounceMs)

/** Returns the same, and until when further votes delay it. */
export const learningTimes = (votedAt: Date): { at: Date, latest: Date } =>
  ({ at: learningDueAt(votedAt), latest: new Date(votedAt.getTime() + maxVoteDelayMs) })
