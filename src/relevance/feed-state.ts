import type { findLearning, ProjectDetails } from '../../db/queries/projects.js'

/** What a project last learned. */
export type Learning = NonNullable<Awaited<ReturnType<typeof findLearning>>>

/** Names the state of a feed. Votes change it, since each sets the time of the next rescoring; so do fetches and changes of settings. */
export const feedState = (
  { id, papers, unrated, updated_at, last_fetched_at }: ProjectDetails,
  { learned_at, scoring_due_at }: Learning
): string => JSON.stringify([id, papers, unrated, updated_at, last_fetched_at, learned_at, scoring_due_at])
