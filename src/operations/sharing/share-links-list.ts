import { listShareLinks } from '../../../db/queries/share-links.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ShareLinksResult } from '../../../schemas/sharing.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { shareLinkOf } from '../../accounts/records.js'

/** @throws ProjectNotFound */
export const shareLinksList = operation({
  name: 'share_links_list',
  title: 'List share links',
  description: 'Returns the share links of a project with their expiry and when they were opened last, without their addresses.',
  input: ProjectInput,
  output: ShareLinksResult,
  async handler ({ db, account, now }, { project_id }) {
    await requireProject({ db, account }, project_id)
    const time = now()
    return { items: (await listShareLinks(db, account.id, project_id)).map(link => shareLinkOf(link, time)) }
  }
})
