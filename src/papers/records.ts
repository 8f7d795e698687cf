import type { ItemDetails } from '../../db/queries/feed.js'
import type { RowDetails } from '../../db/queries/feed-page.js'
import type { PaperDetails } from '../../db/queries/papers.js'
import type { FeedItem, UnmarkedItem } from '../../schemas/feed.js'
import type { FeedRow } from '../../schemas/feed-page.js'
import type { ItemMarks } from '../../schemas/item-state.js'
import type { Feedback } from '../../schemas/feedback.js'
import type { Paper } from '../../schemas/paper.js'
import type { PublishedDetails } from '../../schemas/relevance.js'
import { referenceLabelOf } from './identity.js'
import { paperChanges, publicMetadata, withNotices } from './notices.js'

/** Converts a stored paper to the published record. */
export function paperOf (row: PaperDetails): Paper {
  return {
    id: row.id,
    short_id: row.short_id,
    slug: row.slug,
    title: row.title,
    abstract: row.abstract,
    authors: row.authors,
    published_date: row.published_date,
    url: row.url,
    pdf_url: row.pdf_url,
    doi: row.doi,
    venue_name: row.venue_name,
    reference_label: labelOf(row),
    source: { name: row.source_name },
    source_paper_id: row.source_paper_id,
    external_ids: { doi: row.doi, arxiv: row.arxiv_id, pmid: row.pmid, pmcid: row.pmcid, openalex: row.openalex_id },
    index_url: row.index_url,
    metadata: withNotices(row.metadata, row.notices),
    markdown_ready: row.markdown_ready
  }
}

/** Earlier versions stored labels of any form. */
const labelOf = ({ reference_label, source_name, arxiv_id, pmid, doi }: PaperDetails): string | null => reference_label === null
  ? null
  : referenceLabelOf({ reference_label, source: { name: source_name }, external_ids: { arxiv: arxiv_id, pmid }, doi })

/** Converts a stored feed item, with its paper, to the published record. */
export function feedItemOf (row: ItemDetails): FeedItem {
  return {
    id: row.item_id,
    short_id: row.item_short_id,
    slug: row.slug,
    project_id: row.project_id,
    paper_title: row.title,
    summary: row.summary,
    summary_origin: row.summary_origin,
    relevance_score: row.relevance_score,
    relevance_class: row.relevance_class,
    must_read: row.relevance_class === 'must_read',
    matching_details: withContributions(row.matching_details),
    personalized_note: row.personalized_note,
    ready_at: row.ready_at.toISOString(),
    feedback: feedbackOf(row),
    seen_at: row.seen_at?.toISOString() ?? null,
    saved: row.saved,
    tags: row.tags,
    note: row.note,
    paper: paperOf(row)
  }
}

/** The same paper for people other than its owner. Notices would tell that its owner chose the paper. */
export const publicPaperOf = (row: PaperDetails): Paper => ({ ...paperOf(row), metadata: publicMetadata(row.metadata, row.notices) })

/** A feed item without its owner's vote, private marks and notices, for other hosts. */
export function unmarkedItemOf (row: ItemDetails): UnmarkedItem {
  const { feedback, seen_at, saved, tags, note, ...item } = feedItemOf(row)
  return { ...item, paper: publicPaperOf(row) }
}

/** Items of earlier versions lack contributions until they are scored again. */
const withContributions = ({ contributions, ...details }: ItemDetails['matching_details']): PublishedDetails =>
  ({ ...details, contributions: contributions ?? null })

/** Converts a stored feed item to a line of a list. */
export function feedRowOf (row: RowDetails): FeedRow {
  return {
    id: row.id,
    short_id: row.short_id,
    paper_title: row.title,
    authors: row.authors,
    author_count: row.author_count,
    source_name: row.source_name,
    venue_name: row.venue_name,
    published_date: row.published_date,
    published: row.metadata.published ?? null,
    relevance_score: row.relevance_score,
    must_read: row.relevance_class === 'must_read',
    ready_at: row.ready_at.toISOString(),
    feedback: feedbackOf(row),
    seen_at: row.seen_at?.toISOString() ?? null,
    saved: row.saved,
    tags: row.tags,
    has_note: row.has_note,
    changes: paperChanges(withNotices(row.metadata, row.notices))
  }
}

/** The owner's marks on a stored feed item. */
export const marksOf = ({ seen_at, saved, tags, note }: Pick<ItemDetails, 'seen_at' | 'saved' | 'tags' | 'note'>): ItemMarks => ({
  seen_at: seen_at?.toISOString() ?? null,
  saved,
  tags,
  note
})

/** The vote of a stored feed item. */
export const feedbackOf = ({
  vote,
  downvote_reason,
  voted_at
}: Pick<ItemDetails, 'vote' | 'downvote_reason' | 'voted_at'>): Feedback | null =>
  vote === null ? null : { vote, downvote_reason, updated_at: voted_at!.toISOString() }
