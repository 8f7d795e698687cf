import type { Task } from './task.js'
import { convertMarkdown } from './tasks/convert-markdown.js'
import { fetchProject } from './tasks/fetch-project.js'
import { scoreProject } from './tasks/score-project.js'
import { sendAlert } from './tasks/send-alert.js'
import { writeSummaries } from './tasks/write-summaries.js'

/** Every kind of background work. */
export const tasks: readonly Task[] = [fetchProject, scoreProject, writeSummaries, convertMarkdown, sendAlert]
