import { deleteFollow } from '../../../db/queries/follows.js'
import { NoResult } from '../../../schemas/empty.js'
import { FollowReference } from '../../../schemas/follow.js'
import { NotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws NotFound */
export const followDelete = operation({
  name: 'follow_delete',
  title: 'Unfollow',
  description: 'Stops following an author, a journal or an institution. Papers stay in the feed and lose the mark at the next rescoring.',
  input: FollowReference,
  output: NoResult,
  scope: 'act',
  async handler ({ db, account, now }, { project_id, follow_id }) {
    if (!await deleteFollow(db, account.id, project_id, follow_id, now())) {
      throw new NotFound('The project does not follow this. GET /api/projects/{project_id}/follows lists what it follows.', {
        userMessage: 'The project doesn’t follow this anymore.'
      })
    }
    return {}
  }
})
