import type { Caller } from '../../db/caller.js'
import { sampleUnrated } from '../../db/queries/relevance.js'
import { interestKey } from './interest-model.js'
import type { Interest } from './interest.js'
import { minModelPapers } from './learned-model.js'
import type { Model } from './model.js'
import type { SignalReader } from './signals.js'
import { readTrainingVotes } from './training-votes.js'
import type { RelevanceWorker } from './worker.js'

/** Bounded, because a person waits for a preview: learning from these takes a second or two. */
export const maxTrialVotes = 500
export const trialBackgroundSize = 1000
const maxVoteCharacters = 2_000_000

/** The newest votes on a feed, and a sample of its other papers, from which previews learn. */
export async function readTrialLessons ({ db, account }: Caller, projectId: string, signals: SignalReader) {
  const limits = { maxVotes: maxTrialVotes, maxCharacters: maxVoteCharacters }
  const { votes, former } = await readTrainingVotes(db, account.id, projectId, limits)
  const rated = await signals.ofPapers(votes)
  return { rated, background: await sampleUnrated(db, account.id, projectId, trialBackgroundSize), former }
}

/**
 * Learns what saving a changed interest would have the project learn: its votes were given under the present one.
 * @param project with its present interest
 * @returns the project's own model if the change leaves its interest and keywords as they are; null with too little to learn from
 */
export async function learnChangedInterest (
  context: Caller & { relevance: RelevanceWorker },
  { project, changed, model, signals }:
  { project: Interest & { id: string }, changed: Interest, model: Model | null, signals: SignalReader }
): Promise<Model | null> {
  if (model === null || interestKey(changed) === model.interest.key) return model
  const { rated, background, former } = await readTrialLessons(context, project.id, signals)
  if (rated.length === 0 && background.length < minModelPapers) return null
  const formerly = rated.map(each => each.former === null ? { ...each, former: former.length } : each)
  return await context.relevance.train({
    interest: changed,
    texts: [[...rated, ...background]],
    rated: formerly,
    background,
    former: [...former, project]
  }, { owner: context.account.id })
}
