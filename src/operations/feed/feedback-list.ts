import { listRated } from '../../../db/queries/feed.js'
import { FeedbackListInput, FeedbackListResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { feedItemOf } from '../../papers/records.js'

/** @throws ProjectNotFound */
export const feedbackList = operation({
  name: 'feedback_list',
  title: 'List feedback',
  description: 'Returns a page of the rated items of a feed, most recent vote first.',
  input: FeedbackListInput,
  output: FeedbackListResult,
  scope: 'read',
  async handler ({ db, account }, { project_id, feedback_filter, limit = defaultLimit, offset = 0 }) {
    await requireProject({ db, account }, project_id)
    const rows = await listRated(db, account.id, { projectId: project_id, feedback: feedback_filter }, { limit: limit + 1, offset })
    return { items: rows.slice(0, limit).map(feedItemOf), limit, offset, has_more: rows.length > limit }
  }
})
