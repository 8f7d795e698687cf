import { createProject, findProject } from '../../db/queries/projects.js'
import { Project, ProjectCreateInput } from '../../schemas/project.js'
import { operation } from './operation.js'
import { projectOf } from './records.js'

export const projectCreate = operation({
  name: 'project_create',
  title: 'Create a project',
  description: 'Makes a project with an empty feed.',
  input: ProjectCreateInput,
  output: Project,
  async run ({ db, account, now }, { sources, ...input }) {
    const time = now()
    const { id } = await createProject(db, { ...input, sources: JSON.stringify(sources ?? []), account_id: account.id, created_at: time, updated_at: time })
    return projectOf((await findProject(db, account.id, id))!)
  }
})
