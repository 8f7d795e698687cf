import { listProjects } from '../../../db/queries/projects.js'
import { NoInput } from '../../../schemas/project.js'
import { ProjectsListResult } from '../../sources/project-schemas.js'
import { operation } from '../operation.js'
import { projectOf } from '../../sources/project-record.js'

/** Lists the caller's projects, newest first. */
export const projectsList = operation({
  name: 'projects_list',
  title: 'List projects',
  description: [
    'Gives every project (standing research interest) of the user with its id, name, interest, keywords and feed size, newest first.',
    'Use it first, to get the project_id that the other tools need.',
    'When you already have an id and want one project, projects_get is shorter. Takes no arguments.',
    'Example: {}'
  ].join(' '),
  input: NoInput,
  output: ProjectsListResult,
  async handler ({ db, account }) {
    const items = (await listProjects(db, account.id)).map(projectOf)
    return { items, total: items.length }
  }
})
