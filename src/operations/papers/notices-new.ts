import { listNoticedPapers } from '../../../db/queries/noticed-papers.js'
import { findNoticesSeen } from '../../../db/queries/notices.js'
import { NoticesNewInput, NoticesNewResult } from '../../../schemas/notice.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { newsSince } from '../../papers/notices.js'
import { operation } from '../operation.js'
import { readPage } from '../read-page.js'

const maxPapers = 200

/** @throws ProjectNotFound */
export const noticesNew = operation({
  name: 'notices_new',
  title: 'Get new notices',
  description: 'Returns the papers of a project with notices that its owner has not dismissed, and with those that were withdrawn since.',
  input: NoticesNewInput,
  output: NoticesNewResult,
  async handler ({ db, account, now }, { project_id }) {
    const seen = await findNoticesSeen(db, account.id, project_id)
    if (seen === undefined) throw new ProjectNotFound(project_id)
    const since = seen.notices_seen_at ?? new Date(0)
    const filter = { projectIds: [project_id], since, withdrawn: 'since' } as const
    const firstPage = { limit: maxPapers, offset: 0 }
    const { rows, page: { has_more } } = await readPage(firstPage, async page => await listNoticedPapers(db, account.id, filter, page))
    const items = rows
      .map(({ id, title, notices }) => ({ paper_id: id, paper_title: title, notices: newsSince(notices, since) }))
      .filter(({ notices }) => notices.length > 0)
    return { items, has_more, as_of: now().toISOString() }
  }
})
