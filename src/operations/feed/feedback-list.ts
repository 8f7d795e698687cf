import { walkRated } from '../../../db/queries/feed.js'
import { FeedbackListInput, FeedbackListResult } from '../../../schemas/feed.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { collectItems } from '../collect-items.js'
import { operation } from '../operation.js'
import { readPage } from '../read-page.js'
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
  async handler (context, { project_id, feedback_filter, limit = defaultLimit, offset = 0 }) {
    const { db, account, key } = context
    await requireProject(context, project_id)
    const filter = { projectId: project_id, feedback: feedback_filter }
    const { rows: items, page } = await readPage({ limit, offset }, async page =>
      await collectItems(context, walkRated(db, account.id, filter, { ...page, visibleProjectIds: key?.projectIds }), feedItemOf))
    return { items, ...page }
  }
})
