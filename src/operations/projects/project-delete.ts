import { deleteProject } from '../../../db/queries/deletions.js'
import { NoResult } from '../../../schemas/empty.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws ProjectNotFound */
export const projectDelete = operation({
  name: 'project_delete',
  title: 'Delete a project',
  description: 'Deletes a project with its feed and feedback permanently.',
  input: ProjectInput,
  output: NoResult,
  async handler ({ db, account }, { project_id }) {
    if (!await deleteProject(db, account.id, project_id)) throw new ProjectNotFound(project_id)
    return {}
  }
})
