import { serveTasks } from '../../threads/serve-tasks.js'
import { sources } from '../index.js'
import { type AnswerRequest, parseAnswer } from './answer-task.js'

/* The thread that parses large answers of sources. */

const parsers = sources.flatMap(({ itemParser }) => itemParser ?? [])

serveTasks(
  (request: AnswerRequest) => parseAnswer(request, parsers),
  content => 'batches' in content ? content.batches.map(({ buffer }) => buffer) : []
)
