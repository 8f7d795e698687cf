import type { Db } from '../../db/connection.js'
import { promoteCandidates } from '../../db/queries/candidates.js'
import { findScoring } from '../../db/queries/relevance.js'
import type { Caller } from '../../db/caller.js'
import { requireRecord } from '../errors/deleted-records.js'
import { enqueueSummaries, type SummariesContext } from '../jobs/new-jobs.js'
import { itemOf } from '../papers/feed-item.js'
import type { Placement } from '../papers/ingest.js'
import { learnedModel } from '../relevance/learned-model.js'
import { recentSignalReader } from '../relevance/signals.js'
import type { RelevanceWorker } from '../relevance/worker.js'

/** Services that placing a paper uses. */
export interface PlaceContext extends Caller, SummariesContext {
  relevance: RelevanceWorker
  now: () => Date
}

interface StoredPaper { id: string, title: string, abstract: string | null }

/** Puts a stored paper into a feed, whatever its score, and has it summarized. */
export async function placePaper (context: PlaceContext, projectId: string, paper: StoredPaper): Promise<void> {
  const added = await addStoredPaper(context, projectId, paper)
  await enqueueSummaries(context, { id: projectId, account_id: context.account.id }, added)
}

/**
 * Puts a stored paper into a feed, whatever its score.
 * @param values further values of the item
 * @param lock takes a lock in the same transaction
 * @returns the number of items added: 0 if the feed has it
 */
export async function addStoredPaper (
  { db, account, relevance, now }: Pick<PlaceContext, 'db' | 'account' | 'relevance' | 'now'>,
  projectId: string,
  paper: StoredPaper,
  { values, lock }: { values?: Placement['values'], lock?: ((transaction: Db) => Promise<void>) | undefined } = {}
): Promise<number> {
  const project = requireRecord(await findScoring(db, account.id, projectId))
  const signals = await recentSignalReader(db, account.id, projectId)
  const scored = await signals.ofPapers([{ ...paper, paper_id: paper.id }])
  const [score] = await relevance.score(project, await learnedModel(db, account.id, projectId), scored, { owner: account.id })
  const readyAt = now()
  const item = itemOf({ id: paper.id, record: paper }, { projectId, relevance: score!, readyAt, origin: 'import' })
  const found = { now: readyAt, importId: values?.import_id ?? null }
  return await promoteCandidates(db, account.id, projectId, [{ ...item, ...values }], { lock, found, isComplete: true })
}
