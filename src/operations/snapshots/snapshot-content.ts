import type { DecisionRow, SnapshotPaperRow, findModelSummary, findReviewSettings } from '../../../db/queries/snapshots.js'
import type { SnapshotModel, SnapshotSource } from '../../../schemas/snapshot.js'
import { currentNotices } from '../../papers/notices.js'
import { type Decision, type SnapshotRecord, publishedMetadata } from '../../papers/snapshots/document.js'
import { version } from '../../settings/version.js'
import { findSource, originTitle } from '../../sources/index.js'

/** A paper of a snapshot with the decision on it. */
export function recordOf (
  [, isInFeed, vote, reason, votedAt, score, enteredAt, origin, foundBy]: DecisionRow,
  paper: SnapshotPaperRow
): SnapshotRecord {
  const metadata = paper.metadata
  return {
    id: paper.id,
    decision: decisionOf(isInFeed, vote),
    vote,
    reason,
    voted_at: votedAt === null ? null : new Date(votedAt).toISOString(),
    score: Math.round(score * 10_000) / 10_000,
    entered_at: new Date(enteredAt).toISOString(),
    origin,
    found_by: foundBy,
    source: paper.source_name,
    title: paper.title.toWellFormed(),
    authors: paper.authors.map(({ name }) => name.toWellFormed()),
    published_date: paper.published_date,
    venue: paper.venue_name,
    url: paper.url ?? paper.index_url,
    doi: paper.doi,
    arxiv: paper.arxiv_id,
    pmid: paper.pmid,
    pmcid: paper.pmcid,
    openalex: paper.openalex_id,
    metadata: Object.fromEntries(publishedMetadata.filter(name => metadata[name] !== undefined).map(name => [name, metadata[name]])),
    notices: currentNotices(paper.notices)
  }
}

function decisionOf (isInFeed: boolean, vote: DecisionRow[2]): Decision {
  if (!isInFeed) return 'excluded_automatically'
  if (vote === null) return 'not_screened'
  return vote === 'downvote' ? 'excluded' : 'included'
}

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

/** The model of a project, as a snapshot states it. */
export function modelOf (found: Awaited<ReturnType<typeof findModelSummary>>): SnapshotModel {
  return {
    version: found?.version ?? null,
    program: version,
    trained_at: found?.trained_at.toISOString() ?? null,
    sha256: found?.sha256 ?? null,
    liked: found?.votes?.liked ?? 0,
    disliked: found?.votes?.disliked ?? 0,
    wanted: found?.lessons?.wanted.map(({ term }) => term) ?? [],
    unwanted: found?.lessons?.unwanted.map(({ term }) => term) ?? []
  }
}
