import { projectScore } from '../../../operations/projects/project-score.js'
import type { Task } from '../task.js'

export const scoreProject: Task = {
  task: 'score-project',
  deadline: 15 * 60,
  retries: 3,
  retryDelay: 30,
  concurrency: 1,
  run: (context, { project_id }, signal) => projectScore.run({ ...context, signal }, { project_id: project_id! })
}
