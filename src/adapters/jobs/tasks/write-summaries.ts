import { summariesWrite } from '../../../operations/papers/summaries-write.js'
import type { Task } from '../task.js'

export const writeSummaries: Task = {
  task: 'write-summaries',
  deadline: 30 * 60,
  retries: 3,
  retryDelay: 5 * 60,
  concurrency: 1,
  run: (context, { project_id }, signal) => summariesWrite.run({ ...context, signal }, { project_id: project_id! })
}
