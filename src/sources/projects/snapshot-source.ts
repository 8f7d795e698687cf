import type { findReviewSettings } from '../../../db/queries/snapshots.js'
import type { SnapshotSource } from '../../../schemas/snapshot.js'
import { findSource, originTitle } from '../index.js'

type ReviewSettings = NonNullable<Awaited<ReturnType<typeof findReviewSettings>>>

/** A source of a project, as a snapshot states it. */
export function sourceOf ({ name, query }: { name: string, query: string }, project: ReviewSettings): SnapshotSource {
  const state = project.states.find(each => each.name === name && each.query === query)
  return {
    name,
    title: originTitle(name),
    // The address of a journal feed can contain its reader's secret.
    query: findSource(name)?.isJournalFeed === true
      ? URL.canParse(query.trim()) ? new URL(query.trim()).host : ''
      : query.trim() === '' ? findSource(name)?.buildQuery(project) ?? '' : query,
    state: state === undefined || (state.last_fetched_at === null && state.failures === 0)
      ? 'not_fetched'
      : state.failures > 0 ? 'failing' : 'complete',
    last_fetched_at: state?.last_fetched_at == null ? null : new Date(state.last_fetched_at).toISOString(),
    fetched_through: state?.fetched_through ?? null
  }
}
