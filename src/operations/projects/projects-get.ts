import { findLearning, findProject } from '../../../db/queries/projects.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { recallSummary } from '../../relevance/feed-recall.js'
import { learningOf } from '../../relevance/learned-model.js'
import { ProjectResult } from '../../sources/projects/project-schemas.js'
import { operation } from '../operation.js'
import { projectOf } from '../../sources/projects/project-record.js'

/** @throws ProjectNotFound also if it is another account's */
export const projectsGet = operation({
  name: 'projects_get',
  title: 'Get a project',
  description: [
    'Returns a project: interest, keywords, sources, state, feed counts, what it last learned from votes, and estimated recall.',
    'For papers, use feed_get or feed_search.',
    'Example: {"project_id": "0b54c2ab-…"}'
  ].join(' '),
  input: ProjectInput,
  output: ProjectResult,
  scope: 'read',
  async handler (context, { project_id }) {
    const { db, account } = context
    const [project, learning] = await Promise.all([findProject(db, account.id, project_id), findLearning(db, account.id, project_id)])
    if (project === undefined || learning === undefined) throw new ProjectNotFound(project_id)
    return {
      ...projectOf(project),
      learning: { ...learningOf(learning), changes: learning.learned },
      recall: await recallSummary(context, project, learning)
    }
  }
})
