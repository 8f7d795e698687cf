import { dismissNotices } from '../../../db/queries/notices.js'
import { NoResult } from '../../../schemas/empty.js'
import { NoticesDismissInput } from '../../../schemas/notice.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws ProjectNotFound */
export const noticesDismiss = operation({
  name: 'notices_dismiss',
  title: 'Dismiss new notices',
  description: 'Marks the notices of a project that were found until a time as seen. Papers keep them.',
  input: NoticesDismissInput,
  output: NoResult,
  async handler ({ db, account, now }, { project_id, as_of }) {
    // A later time would hide notices that nobody has seen.
    const seenAt = new Date(Math.min(new Date(as_of).getTime(), now().getTime()))
    if (await dismissNotices(db, account.id, project_id, seenAt) === undefined) throw new ProjectNotFound(project_id)
    return {}
  }
})
