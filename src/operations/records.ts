import type { Alert } from '../../schemas/alert.js'
import type { FeedItem } from '../../schemas/feed.js'
import type { FeedRow } from '../../schemas/feed-page.js'
import type { Feedback } from '../../schemas/feedback.js'
import type { Job } from '../../schemas/job.js'
import type { Paper } from '../../schemas/paper.js'
import type { Project } from '../../schemas/project.js'
import type { AlertDetails } from '../../db/queries/alerts.js'
import type { ItemDetails } from '../../db/queries/feed.js'
import type { RowDetails } from '../../db/queries/feed-page.js'
import type { findJob } from '../../db/queries/jobs.js'
import type { PaperDetails } from '../../db/queries/papers.js'
import type { ProjectDetails } from '../../db/queries/projects.js'

/* Rows as the contract's records (section 2): the one place that knows both. */

export function projectOf ({ papers, must_read, unrated, created_at, updated_at, last_fetched_at, source_states, ...project }: ProjectDetails): Project {
  const places = new Map(project.sources.map(({ name, query }, place) => [`${name} ${query}`, place]))
  const time = (text: string | null) => text === null ? null : new Date(text).toISOString()
  return {
    ...project,
    source_states: (source_states ?? [])
      .map(state => ({ ...state, last_fetched_at: time(state.last_fetched_at), next_fetch_at: time(state.next_fetch_at)! }))
      .sort((a, b) => places.get(`${a.name} ${a.query}`)! - places.get(`${b.name} ${b.query}`)!),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    last_fetched_at: last_fetched_at?.toISOString() ?? null,
    counts: { papers, must_read, unrated }
  }
}

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
    reference_label: row.reference_label,
    source: { name: row.source_name },
    source_paper_id: row.source_paper_id,
    external_ids: { doi: row.doi, arxiv: row.arxiv_id, pmid: row.pmid, pmcid: row.pmcid, openalex: row.openalex_id },
    index_url: row.index_url,
    metadata: row.metadata,
    markdown_ready: row.markdown_ready
  }
}

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
    matching_details: row.matching_details,
    personalized_note: row.personalized_note,
    ready_at: row.ready_at.toISOString(),
    feedback: feedbackOf(row),
    paper: paperOf(row)
  }
}

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
    relevance_score: row.relevance_score,
    must_read: row.relevance_class === 'must_read',
    ready_at: row.ready_at.toISOString(),
    feedback: feedbackOf(row)
  }
}

const feedbackOf = ({ vote, downvote_reason, voted_at }: Pick<ItemDetails, 'vote' | 'downvote_reason' | 'voted_at'>): Feedback | null =>
  vote === null ? null : { vote, downvote_reason, updated_at: voted_at!.toISOString() }

export function alertOf ({ created_at, next_send_at, last_sent_at, ...alert }: AlertDetails): Alert {
  return { ...alert, created_at: created_at.toISOString(), next_send_at: next_send_at.toISOString(), last_sent_at: last_sent_at?.toISOString() ?? null }
}

export function jobOf (row: NonNullable<Awaited<ReturnType<typeof findJob>>>): Job {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
