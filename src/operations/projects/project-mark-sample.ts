import { Type } from 'typebox'
import { markAsSample } from '../../../db/queries/projects.js'
import { ProjectId } from '../../../schemas/ids.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** For the operator. @throws ProjectNotFound */
export const projectMarkSample = operation({
  name: 'project_mark_sample',
  title: 'Mark a project as a sample',
  description: 'Marks a project as a sample of invented papers: its page says so, and offers to remove it.',
  input: Type.Object({ project_id: ProjectId }, { additionalProperties: false }),
  output: Type.Object({}),
  async handler ({ db, account }, { project_id }) {
    if (!await markAsSample(db, account.id, project_id)) throw new ProjectNotFound(project_id)
    return {}
  }
})
