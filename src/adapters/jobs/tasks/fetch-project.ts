import { projectFetch } from '../../../operations/projects/project-fetch.js'
import type { Task } from '../task.js'

export const fetchProject: Task = {
  task: 'fetch-project',
  deadline: 60 * 60,
  retries: 3,
  retryDelay: 60,
  // Two for one account at most.
  concurrency: 3,
  async run (context, { project_id, account_id }, signal) {
    const { sources } = await projectFetch.run({ ...context, account: { id: account_id! }, signal }, { project_id: project_id! })
    return { sources }
  }
}
