import type { Db } from '../../db/connection.js'
import { findLeftItems, promoteCandidates } from '../../db/queries/candidates.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import { findScoring } from '../../db/queries/relevance.js'
import { requireRecord } from '../errors/deleted-records.js'
import { PaperNotFound } from '../errors/operation-errors.js'
import { enqueueSummaries, type SummariesContext } from '../jobs/new-jobs.js'
import { itemOf } from '../papers/feed-item.js'
import { isId, itemIdOf } from '../papers/references.js'
import { learnedModel } from '../relevance/learned-model.js'
import { recentSignalReader } from '../relevance/signals.js'
import type { RelevanceWorker } from '../relevance/worker.js'

interface PlaceContext extends SummariesContext {
  db: Db
  account: { id: string }
  key?: { projectIds: ProjectIds } | undefined
  relevance: RelevanceWorker
  now: () => Date
}

/** Puts a stored paper into a feed, whatever its score. */
export async function placePaper (
  context: PlaceContext,
  projectId: string,
  paper: { id: string, title: string, abstract: string | null }
): Promise<void> {
  const { db, account, relevance, now } = context
  const project = requireRecord(await findScoring(db, account.id, projectId))
  const signals = await recentSignalReader(db, account.id, projectId)
  const scored = await signals.ofPapers([{ ...paper, paper_id: paper.id }])
  const [score] = await relevance.score(project, await learnedModel(db, account.id, projectId), scored, { owner: account.id })
  const item = itemOf({ id: paper.id, record: paper }, { projectId, relevance: score!, readyAt: now(), origin: 'import' })
  const added = await promoteCandidates(db, account.id, projectId, [item])
  await enqueueSummaries(context, { id: projectId, account_id: account.id }, added)
}

/**
 * The feed item that a reference means, to vote on it or mark it. If a rescoring took the item out of its feed since it was listed, it
 * returns, so that a change made on an open page is not lost.
 * @throws PaperNotFound, AmbiguousShortId, AmbiguousReference
 */
export async function itemToChange (context: PlaceContext, reference: string): Promise<string> {
  try {
    return await itemIdOf(context, reference)
  } catch (error) {
    const id = reference.trim().toLowerCase()
    if (!(error instanceof PaperNotFound) || !isId(id)) throw error
    const { db, account, key } = context
    const left = await findLeftItems(db, account.id, id, key?.projectIds)
    if (left.length !== 1) throw error
    await placePaper(context, left[0]!.project_id, left[0]!)
    return await itemIdOf(context, reference)
  }
}
