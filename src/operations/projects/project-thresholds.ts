import { Type } from 'typebox'
import { findLearning, findProject } from '../../../db/queries/projects.js'
import { ProjectInput, WeeklyLimit } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { foundScores } from '../../relevance/found-scores.js'
import { operation } from '../operation.js'
import { dayMs } from '../../../schemas/durations.js'

const weeks = 4
const weekMs = 7 * dayMs

/** @throws ProjectNotFound */
export const projectThresholds = operation({
  name: 'project_thresholds',
  title: 'Get papers per week by threshold',
  description: 'Returns the scores of the fetched papers of the last four weeks, in the feed or not, as a basis for choosing a threshold.',
  input: ProjectInput,
  output: Type.Object({
    since: Type.String({ format: 'date-time', description: 'Papers found since then are counted.' }),
    weeks: Type.Number({ description: 'The number of weeks that they cover: more than four if they include a first fetch.' }),
    weekly_limit: WeeklyLimit,
    papers: Type.Array(Type.Integer({ minimum: 0 }), {
      description: 'Numbers of papers by the hundredth of relevance_score: 100 numbers, of which the last includes 1.'
    })
  }, { description: 'Scores of fetched papers. Their sum from a threshold on, divided by weeks, is what reaches it in a week.' }),
  scope: 'read',
  async handler (context, { project_id }) {
    const { db, account, now, sources: { fetching } } = context
    const [project, learning] = await Promise.all([findProject(db, account.id, project_id), findLearning(db, account.id, project_id)])
    if (project === undefined || learning === undefined) throw new ProjectNotFound(project_id)
    const { created_at: firstFetch, weekly_limit } = project
    const { since, papers } = await foundScores(context, project, learning, weeks * weekMs)
    const coveredMs = firstFetch < since ? weeks * weekMs : fetching.days * dayMs + now().getTime() - firstFetch.getTime()
    return { since: since.toISOString(), weeks: coveredMs / weekMs, weekly_limit, papers }
  }
})
