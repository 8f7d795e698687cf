import { type ProjectDetails, countProjects, listProjects } from '../../../db/queries/projects.js'
import { ProjectsListInput, defaultProjectLimit } from '../../../schemas/project.js'
import { ProjectsListResult } from '../../sources/projects/project-schemas.js'
import { operation } from '../operation.js'
import { charactersOfSources, firstChunkSize, nextChunkSize } from '../../sources/projects/project-chunks.js'
import { projectOf } from '../../sources/projects/project-record.js'

export const projectsList = operation({
  name: 'projects_list',
  title: 'List projects',
  description: [
    'Returns the user\'s research projects, newest first, with id, name, interest and feed size.',
    'A project has about 1,700 characters: use a limit up to 20.',
    'Call it first for a project_id.',
    'Example: {}'
  ].join(' '),
  input: ProjectsListInput,
  output: ProjectsListResult,
  scope: 'read',
  async handler ({ db, sharedDb, sharedWork, account, key }, { limit = defaultProjectLimit, offset = 0 }) {
    const total = await countProjects(db, account.id, key?.projectIds)
    const items = []
    for (let read = 0, size = firstChunkSize; read < limit && offset + read < total;) {
      const page = { limit: Math.min(size, limit - read), offset: offset + read }
      const projects = await sharedWork.projectReads.run(account.id, async () =>
        await listProjects(sharedDb, account.id, page, key?.projectIds))
      if (projects.length === 0) break
      items.push(...projects.map(projectOf))
      read += size
      size = nextChunkSize(projects.map(charactersOf))
    }
    return { items, total }
  }
})

/** Characters of a project, about. */
const charactersOf = (project: ProjectDetails): number =>
  [project.interest_description, ...project.positive_keywords, ...project.negative_keywords]
    .reduce((sum, text) => sum + text.length, charactersOfSources(project))
