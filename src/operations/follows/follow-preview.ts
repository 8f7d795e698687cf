import { listNewestPapers } from '../../../db/queries/follows.js'
import { listPeople } from '../../../db/queries/signals.js'
import { FollowInput, FollowPreviewResult } from '../../../schemas/follow.js'
import { followMatcher } from '../../papers/follows.js'
import { createYielder } from '../../threads/yielder.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { readFollow } from './follow-create.js'

/** Bounded, because a person waits. */
const maxCompared = 2000
/** Papers read together: one may have thousands of authors. */
const batchSize = 100
const maxListed = 20

/** @throws ProjectNotFound, InvalidArguments */
export const followPreview = operation({
  name: 'follow_preview',
  title: 'Preview a follow',
  description: 'Returns the papers of a feed that following an author, a journal or an institution would mark. Nothing is saved.',
  input: FollowInput,
  output: FollowPreviewResult,
  scope: 'act',
  async handler ({ db, account }, { project_id, ...target }) {
    const findFollowed = followMatcher([readFollow(target)])
    await requireProject({ db, account }, project_id)
    const papers = await listNewestPapers(db, account.id, project_id, maxCompared)
    const yieldIfDue = createYielder()
    const found: Array<{ paper_id: string, title: string, by: 'id' | 'name' }> = []
    for (let from = 0; from < papers.length; from += batchSize) {
      const batch = papers.slice(from, from + batchSize)
      const people = new Map((await listPeople(db, batch.map(({ paper_id }) => paper_id))).map(row => [row.paper_id, row]))
      for (const { paper_id, title } of batch) {
        await yieldIfDue()
        const paper = people.get(paper_id)
        // A paper may be deleted meanwhile.
        if (paper !== undefined) for (const { by } of findFollowed(paper)) found.push({ paper_id, title, by })
      }
    }
    const count = (basis: 'id' | 'name') => found.filter(({ by }) => by === basis).length
    return { compared: papers.length, by_id: count('id'), by_name: count('name'), papers: found.slice(0, maxListed) }
  }
})
