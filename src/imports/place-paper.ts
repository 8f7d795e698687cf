import type { Db } from '../../db/connection.js'
import { findLeftItems, promoteCandidates } from '../../db/queries/candidates.js'
import { resolveCandidate } from '../../db/queries/papers.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import { findScoring } from '../../db/queries/relevance.js'
import type { Caller } from '../../db/caller.js'
import { requireRecord } from '../errors/deleted-records.js'
import { PaperNotFound } from '../errors/operation-errors.js'
import { enqueueSummaries, type SummariesContext } from '../jobs/new-jobs.js'
import { itemOf } from '../papers/feed-item.js'
import type { Placement } from '../papers/ingest.js'
import { isId, resolveItemId } from '../papers/references.js'
import { learnedModel } from '../relevance/learned-model.js'
import { recentSignalReader } from '../relevance/signals.js'
import type { RelevanceWorker } from '../relevance/worker.js'

interface PlaceContext extends Caller, SummariesContext {
  key?: { projectIds: ProjectIds } | undefined
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
  return await promoteCandidates(db, account.id, projectId, [{ ...item, ...values }], { lock, found })
}

/**
 * The feed item that a reference means, to vote on it or mark it. If a rescoring took the item out of its feed since it was listed, it
 * returns, so that a change made on an open page is not lost.
 * @throws PaperNotFound, AmbiguousShortId, AmbiguousReference
 */
export async function itemToChange (context: PlaceContext, reference: string): Promise<string> {
  try {
    return await resolveItemId(context, reference)
  } catch (error) {
    const id = reference.trim().toLowerCase()
    if (!(error instanceof PaperNotFound) || !isId(id)) throw error
    const { db, account, key } = context
    const left = await findLeftItems(db, account.id, id, key?.projectIds)
    if (left.length !== 1) throw await candidateNotAdded(context, id) ?? error
    await placePaper(context, left[0]!.project_id, left[0]!)
    return await resolveItemId(context, reference)
  }
}

/** The error about a paper that was found for a feed, such as one that a preview names, and is not in it. */
async function candidateNotAdded ({ db, account, key }: PlaceContext, reference: string): Promise<PaperNotFound | undefined> {
  const [candidate, ...others] = await resolveCandidate(db, account.id, reference, key?.projectIds)
  if (candidate === undefined || others.length > 0) return undefined
  return new PaperNotFound(reference, {
    why: `Paper ${reference} is not in a feed yet. Add it with paper_add, with ${candidate.paper_id} as identifier, then call again.`
  })
}
