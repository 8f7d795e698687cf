import { listNoticedPapers } from '../../../db/queries/noticed-papers.js'
import { listItemsOfPapers } from '../../../db/queries/notices.js'
import { NoticesListInput, NoticesListResult } from '../../../schemas/notice.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { readPeriod } from '../../input/read-period.js'
import { knownLabel } from '../../papers/identity.js'
import { mergeNotices } from '../../papers/notices.js'
import { operation } from '../operation.js'
import { readPage } from '../read-page.js'
import { requireProject } from '../require-project.js'

/** @throws ProjectNotFound, and InvalidArguments if `since` cannot be read */
export const noticesList = operation({
  name: 'notices_list',
  title: 'List notices',
  description:
    'Returns the papers of your feeds that were retracted, corrected, published or renewed since you starred, upvoted, saved or cited ' +
    'them, last found first.',
  input: NoticesListInput,
  output: NoticesListResult,
  scope: 'read',
  async handler ({ db, account, key, now }, { project_id, since, withdrawn = false, limit = defaultLimit, offset = 0 }) {
    await requireProject({ db, account }, project_id)
    const projectIds = project_id === undefined ? key?.projectIds ?? null : [project_id]
    const from = since === undefined ? undefined : readPeriod('since', since, now())
    const filter = { projectIds, visibleProjectIds: key?.projectIds, withdrawn, since: from }
    const { rows, page } = await readPage({ limit, offset }, async page => await listNoticedPapers(db, account.id, filter, page))
    const items = await listItemsOfPapers(db, account.id, rows.map(({ id }) => id), projectIds)
    return {
      items: rows.map(({ id, title, reference_label, notices }) => ({
        paper_id: id,
        paper_title: title,
        reference_label: knownLabel(reference_label),
        projects: items.filter(({ paper_id }) => paper_id === id).map(({ project_id, feed_item_id }) => ({ project_id, feed_item_id })),
        notices: mergeNotices(notices).filter(each => withdrawn || each.withdrawn === null)
      })),
      ...page
    }
  }
})
