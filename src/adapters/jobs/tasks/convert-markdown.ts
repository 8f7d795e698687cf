import { paperConvert } from '../../../operations/papers/paper-convert.js'
import type { Task } from '../task.js'

export const convertMarkdown: Task = {
  task: 'convert-markdown',
  deadline: 5 * 60,
  retries: 4,
  retryDelay: 60,
  // Most of it is waiting for others; documents themselves are converted one at a time.
  concurrency: 6,
  run: (context, { paper_id, account_id }, signal) => paperConvert.run({ ...context, signal }, { paper_id: paper_id!, uploaded_by: account_id })
}
