import { projectStatistics } from '../../../operations/projects/project-statistics.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { accountPage } from '../page.js'
import { ProjectInsights } from './project-insights/view.js'

/** Statistics of a project: papers per week, scores, and words learned from votes. */
export const projectInsightsPage = accountPage({
  url: '/projects/:project_id/insights',
  operations: [projectsGet, projectStatistics],
  query: projectStatistics.input,
  async show (context, { project_id }) {
    // First, so that a missing project has one message.
    const project = await projectsGet.run(context, { project_id })
    const statistics = await projectStatistics.run(context, { project_id })
    return { title: `Insights into ${project.name}`, project, content: <ProjectInsights project={project} statistics={statistics} /> }
  }
})
