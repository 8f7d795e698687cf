import { findItemOfPaper } from '../../../db/queries/candidates.js'
import { listCandidates } from '../../../db/queries/weekly-selection.js'
import { CandidateAddInput } from '../../../schemas/candidate.js'
import { FeedItem } from '../../../schemas/feed.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { PaperNotFound } from '../../errors/operation-errors.js'
import { feedItemOf } from '../../papers/records.js'
import { placePaper } from '../../imports/place-paper.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'

/** Repeating it changes nothing. @throws ProjectNotFound, PaperNotFound if it is not a candidate of the project */
export const candidateAdd = operation({
  name: 'candidate_add',
  title: 'Add a paper that a feed does not include',
  description: 'Adds a paper that sources found to the feed, where it stays whatever its score. Returns the feed item.',
  input: CandidateAddInput,
  output: FeedItem,
  scope: 'act',
  async handler (context, { project_id, candidate_id: paper_id }) {
    const { db, account, key } = context
    await requireProject(context, project_id)
    const item = async () => await findItemOfPaper(db, account.id, project_id, paper_id, key?.projectIds)
    const present = await item()
    if (present !== undefined) return feedItemOf(present)
    const [candidate] = await listCandidates(db, account.id, project_id, [paper_id])
    if (candidate === undefined) throw new PaperNotFound(paper_id)
    await placePaper(context, project_id, { id: paper_id, title: candidate.title, abstract: candidate.abstract })
    return feedItemOf(requireRecord(await item()))
  }
})
