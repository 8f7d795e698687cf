import type { ItemValues } from '../../db/queries/import.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { linksOf, type Relevance } from '../../schemas/relevance.js'
import { summaryOf } from './summary.js'

/** Where and how a paper enters a feed. */
export interface NewItem { projectId: string, relevance: Relevance, readyAt: Date, origin: 'import' | 'fetch' }

/** A new feed item, in the form in which it is stored. */
export function itemOf (
  { id, record }: { id: string, record: Pick<PaperRecord, 'abstract'> & Partial<Pick<PaperRecord, 'published_date'>> },
  { projectId, relevance, readyAt, origin }: NewItem
): ItemValues {
  return {
    project_id: projectId,
    paper_id: id,
    origin,
    summary: summaryOf(record.abstract),
    relevance_score: relevance.relevance_score,
    relevance_class: relevance.relevance_class,
    matching_details: JSON.stringify(relevance.matching_details),
    links: linksOf(relevance.matching_details),
    personalized_note: relevance.personalized_note,
    ready_at: readyAt,
    // Looked up by a trigger if it is null.
    published_date: record.published_date ?? null
  }
}
