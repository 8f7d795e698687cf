import type { DecisionRow, SnapshotPaperRow } from '../../../db/queries/snapshot-decisions.js'
import type { findModelSummary } from '../../../db/queries/snapshots.js'
import type { SnapshotModel } from '../../../schemas/snapshot.js'
import { currentNotices, publicMetadata } from '../notices.js'
import { citableAddress } from '../paper-address.js'
import { type Decision, type SnapshotRecord, publishedMetadata } from './document.js'
import { version } from '../../settings/version.js'

/** A paper of a snapshot with the decision on it. */
export function recordOf (
  [, isInFeed, vote, reason, votedAt, score, enteredAt, origin, foundBy, isImportedVote, isFoundEarlier]: DecisionRow,
  paper: SnapshotPaperRow
): SnapshotRecord {
  const metadata = publicMetadata(paper.metadata, paper.notices)
  return {
    id: paper.id,
    decision: decisionOf(isInFeed, vote, isImportedVote),
    vote,
    reason,
    voted_at: votedAt === null ? null : new Date(votedAt).toISOString(),
    score: Math.round(score * 10_000) / 10_000,
    entered_at: new Date(enteredAt).toISOString(),
    origin,
    // Without any, as after the undo of an import, nothing is recorded.
    found_by: foundBy?.length === 0 ? null : foundBy,
    ...(isFoundEarlier === true ? { found_earlier: true } : {}),
    source: paper.source_name,
    title: paper.title.toWellFormed(),
    authors: paper.authors.map(({ name }) => name.toWellFormed()),
    published_date: paper.published_date,
    venue: paper.venue_name,
    url: citableAddress(paper),
    doi: paper.doi,
    arxiv: paper.arxiv_id,
    pmid: paper.pmid,
    pmcid: paper.pmcid,
    openalex: paper.openalex_id,
    metadata: Object.fromEntries(publishedMetadata.filter(name => metadata[name] !== undefined).map(name => [name, metadata[name]])),
    // Others exist because the account chose the paper in another project, or saved or cited it, which no reader may learn.
    notices: vote === 'star' || vote === 'upvote' ? currentNotices(paper.notices) : []
  }
}

/** A vote that came with an import includes a paper without screening: its owner had chosen the paper elsewhere. */
function decisionOf (isInFeed: boolean, vote: DecisionRow[2], isImportedVote = false): Decision {
  if (!isInFeed) return 'excluded_automatically'
  if (vote === null) return 'not_screened'
  if (vote === 'downvote') return 'excluded'
  return isImportedVote ? 'included_unscreened' : 'included'
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
