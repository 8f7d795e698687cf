import { serveTasks } from '../threads/serve-tasks.js'
import { parseAnswer } from './answer-task.js'

/* The thread that parses large answers of Zotero. */

serveTasks(parseAnswer, batches => batches?.map(({ buffer }) => buffer) ?? [])
