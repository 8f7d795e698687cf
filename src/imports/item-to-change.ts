import { findLeftItems } from '../../db/queries/candidates.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import { resolveCandidate } from '../../db/queries/papers.js'
import { PaperNotFound } from '../errors/operation-errors.js'
import { idIn, resolveItemId } from '../papers/references.js'
import { type PlaceContext, placePaper } from './place-paper.js'

interface ChangeContext extends PlaceContext { key?: { projectIds: ProjectIds } | undefined }

/**
 * The feed item that a reference means, to vote on it or mark it. If a rescoring took the item out of its feed since it was listed, it
 * returns, so that a change made on an open page is not lost.
 * @throws PaperNotFound, AmbiguousShortId, AmbiguousReference
 */
export async function itemToChange (context: ChangeContext, reference: string): Promise<string> {
  try {
    return await resolveItemId(context, reference)
  } catch (error) {
    const id = idIn(reference)
    if (!(error instanceof PaperNotFound) || id === undefined) throw error
    const { db, account, key } = context
    const left = await findLeftItems(db, account.id, id, key?.projectIds)
    if (left.length !== 1) throw await candidateNotAdded(context, id) ?? error
    await placePaper(context, left[0]!.project_id, left[0]!)
    return await resolveItemId(context, reference)
  }
}

/** The error about a paper that was found for a feed, such as one that a preview names, and is not in it. */
async function candidateNotAdded ({ db, account, key }: ChangeContext, reference: string): Promise<PaperNotFound | undefined> {
  const [candidate, ...others] = await resolveCandidate(db, account.id, reference, key?.projectIds)
  if (candidate === undefined || others.length > 0) return undefined
  return new PaperNotFound(reference, {
    why: `Paper ${reference} is not in a feed yet. Add it with paper_add, with ${candidate.paper_id} as identifier, then call again.`
  })
}
