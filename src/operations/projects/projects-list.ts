import { type ProjectDetails, countProjects, listProjects } from '../../../db/queries/projects.js'
import { ProjectsListInput, defaultProjectLimit } from '../../../schemas/project.js'
import { ProjectsListResult } from '../../sources/projects/project-schemas.js'
import { collectItems } from '../collect-items.js'
import type { Context } from '../context.js'
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
  async handler (context, { limit = defaultProjectLimit, offset = 0 }) {
    const { db, account, key } = context
    const total = await countProjects(db, account.id, key?.projectIds)
    const page = { limit: Math.min(limit, total - offset), offset }
    return { items: await collectItems(context, walkProjects(context, page), projectOf), total }
  }
})

/** A page of projects in chunks, which depend on how large the projects are. */
async function * walkProjects (
  { sharedDb, sharedWork, account, key }: Context,
  { limit, offset }: { limit: number, offset: number }
): AsyncGenerator<ProjectDetails[], void> {
  for (let read = 0, size = firstChunkSize; read < limit;) {
    const chunk = { limit: Math.min(size, limit - read), offset: offset + read }
    const projects = await sharedWork.projectReads.run(account.id, async () =>
      await listProjects(sharedDb, account.id, chunk, key?.projectIds))
    if (projects.length === 0) return
    yield projects
    read += size
    size = nextChunkSize(projects.map(charactersOf))
  }
}

/** Characters of a project, about. */
const charactersOf = (project: ProjectDetails): number =>
  [project.interest_description, ...project.positive_keywords, ...project.negative_keywords]
    .reduce((sum, text) => sum + text.length, charactersOfSources(project))
