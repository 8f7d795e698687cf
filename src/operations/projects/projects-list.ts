import { countProjects, listProjects } from '../../../db/queries/projects.js'
import { ProjectsListInput, defaultProjectLimit } from '../../../schemas/project.js'
import { ProjectsListResult } from '../../sources/project-schemas.js'
import { operation } from '../operation.js'
import { projectOf } from '../../sources/project-record.js'

/** Projects read by one statement. A project can have 250,000 characters, and parsing more than ten of those would block the event loop. */
const chunkSize = 10

export const projectsList = operation({
  name: 'projects_list',
  title: 'List projects',
  description: [
    'Returns the user\'s projects (standing research interests), newest first, with id, name, interest and feed size.',
    'Call it first: the other tools need a project_id.',
    'Example: {}'
  ].join(' '),
  input: ProjectsListInput,
  output: ProjectsListResult,
  scope: 'read',
  async handler ({ db, account, key }, { limit = defaultProjectLimit, offset = 0 }) {
    const total = await countProjects(db, account.id, key?.projectIds)
    const items = []
    for (let read = 0; read < limit && offset + read < total; read += chunkSize) {
      const page = { limit: Math.min(chunkSize, limit - read), offset: offset + read }
      items.push(...(await listProjects(db, account.id, page, key?.projectIds)).map(projectOf))
    }
    return { items, total }
  }
})
