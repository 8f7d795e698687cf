import { findProject } from '../../../db/queries/projects.js'
import { ProjectInput } from '../../../schemas/project.js'
import { Project } from '../../sources/project-schemas.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { projectOf } from '../../sources/project-record.js'

/** One project. @throws ProjectNotFound also when it is another account's */
export const projectsGet = operation({
  name: 'projects_get',
  title: 'Get a project',
  description: [
    'Gives one project: its interest description, keywords, sources, state and feed counts.',
    'Use it to learn what the user is after before judging or summarising papers.',
    'It lists no papers: use feed_get for the newest and feed_search for a subject. Without an id, call projects_list.',
    'Example: {"project_id": "0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11"}'
  ].join(' '),
  input: ProjectInput,
  output: Project,
  async handler ({ db, account }, { project_id }) {
    const project = await findProject(db, account.id, project_id)
    if (project === undefined) throw new ProjectNotFound(project_id)
    return projectOf(project)
  }
})
