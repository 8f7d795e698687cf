import { alertSend } from '../../../operations/alerts/alert-send.js'
import type { Task } from '../task.js'

export const sendAlert: Task = {
  task: 'send-alert',
  deadline: 2 * 60,
  retries: 5,
  retryDelay: 60,
  // Two for one account at most.
  concurrency: 3,
  run: (context, { alert_id }, signal) => alertSend.run({ ...context, signal }, { alert_id: alert_id! })
}
