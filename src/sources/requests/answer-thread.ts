import { serveTasks } from '../../threads/serve-tasks.js'
import { parseAnswer } from './answer-task.js'

/* The thread that parses large answers of sources. */

serveTasks(parseAnswer, content => 'batches' in content ? content.batches.map(({ buffer }) => buffer) : [])
