import { addItems } from '../../db/queries/import.js'
import { addCandidates } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../relevance/score.js'
import { itemOf } from './feed-item.js'
import { enters } from '../operations/projects/project-score.js'
import type { Work } from './paper-index.js'

/** A project whose feed papers are put into. */
export interface FedProject { id: string, account_id: string, feed_threshold: number }

export interface Scored { record: PaperRecord, relevance: Relevance }

/** Puts fetched papers that match into a project's feed, and notes the others as its candidates. */
export async function placeIn (db: Db, project: FedProject, papers: ReadonlyMap<Work, Relevance>, now: Date): Promise<{ entered: number, noted: number }> {
  const entering = [...papers].filter(([, relevance]) => enters(relevance, project))
  const others = [...papers].filter(([, relevance]) => !enters(relevance, project))
  await addItems(db, entering.map(([work, relevance]) => itemOf(work, { projectId: project.id, relevance, readyAt: now, origin: 'fetch' })))
  await addCandidates(db, others.map(([{ id }, { relevance_score }]) => ({ project_id: project.id, paper_id: id, relevance_score, found_at: now })))
  return { entered: entering.length, noted: others.length }
}
