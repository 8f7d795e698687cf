import { type ItemValues, findSummaries, replaceSearchVectors } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import { searchVector } from '../../db/search/vector.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../relevance/score.js'
import { summaryOf } from '../relevance/summary.js'
import type { Work } from './shelf.js'

type Described = Pick<PaperRecord, 'title' | 'authors' | 'abstract' | 'doi' | 'external_ids'>

/** A new feed item as it is stored. */
export function itemOf ({ id, record }: { id: string, record: Described }, entering: { projectId: string, relevance: Relevance, readyAt: Date, origin: 'import' | 'fetch' }): ItemValues {
  const { projectId, relevance, readyAt, origin } = entering
  const summary = summaryOf(record.abstract)
  return {
    project_id: projectId,
    paper_id: id,
    origin,
    summary,
    relevance_score: relevance.relevance_score,
    relevance_class: relevance.relevance_class,
    matching_details: JSON.stringify(relevance.matching_details),
    personalized_note: relevance.personalized_note,
    ready_at: readyAt,
    search_vector: vectorOf(record, summary)
  }
}

/** Feed items that show a changed paper, in whichever feed, are found by its new words. */
export async function refreshVectors (db: Db, changed: readonly Work[]): Promise<void> {
  if (changed.length === 0) return
  const works = new Map(changed.map(work => [work.id, work]))
  const items = await findSummaries(db, [...works.keys()])
  await replaceSearchVectors(db, items.map(({ id, paper_id, summary }) => ({ id, search_vector: vectorOf(works.get(paper_id)!.record, summary) })))
}

/** What finds an item. */
export const vectorOf = (record: Described, summary: string | null) => searchVector({
  title: record.title,
  authors: record.authors,
  summary,
  abstract: record.abstract,
  identifiers: [record.doi, ...Object.values(record.external_ids)]
})
