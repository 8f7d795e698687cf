import { findProject, updateProject } from '../../db/queries/projects.js'
import { Project, ProjectUpdateInput } from '../../schemas/project.js'
import { ProjectNotFound } from '../errors.js'
import { operation } from './operation.js'
import { projectOf } from './records.js'

/** Changes what is sent and leaves the rest. @throws ProjectNotFound */
export const projectUpdate = operation({
  name: 'project_update',
  title: 'Change a project',
  description: 'Changes the settings that are sent and leaves the others. Pause a project with matching_state "paused".',
  input: ProjectUpdateInput,
  output: Project,
  async run ({ db, account, now }, { project_id, sources, ...change }) {
    const changed = { ...change, ...(sources === undefined ? {} : { sources: JSON.stringify(sources) }), updated_at: now() }
    if (await updateProject(db, account.id, project_id, changed) === undefined) throw new ProjectNotFound(project_id)
    return projectOf((await findProject(db, account.id, project_id))!)
  }
})
