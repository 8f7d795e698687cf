import { deleteZoteroSync } from '../../../db/queries/zotero.js'
import { NoResult } from '../../../schemas/empty.js'
import { ProjectInput } from '../../../schemas/project.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'

/** @throws ProjectNotFound */
export const zoteroProjectClear = operation({
  name: 'zotero_project_clear',
  title: 'Stop syncing a project with Zotero',
  description: 'Stops syncing a project with Zotero. Its papers and votes stay, and so do the items in Zotero.',
  input: ProjectInput,
  output: NoResult,
  async handler ({ db, account }, { project_id }) {
    await requireProject({ db, account }, project_id)
    await deleteZoteroSync(db, account.id, project_id)
    return {}
  }
})
