import { Type } from 'typebox'
import { findProjectOwner } from '../../../db/queries/projects.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For the operator, whose commands name projects without accounts. @throws ProjectNotFound */
export const projectOwner = operation({
  name: 'project_owner',
  title: 'Get a project\'s owner',
  description: 'Returns the account that owns a project.',
  input: ProjectInput,
  output: Type.Object({ account_id: Type.String() }),
  async handler ({ db }: ServiceContext, { project_id }) {
    const owner = await findProjectOwner(db, project_id)
    if (owner === undefined) throw new ProjectNotFound(project_id)
    return owner
  }
})
