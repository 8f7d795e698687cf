import { type Static, Type } from 'typebox'
import { Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { page, paging } from './paging.js'

/** Every kind of background work. */
export const tasks = ['fetch-project', 'score-project', 'write-summaries', 'convert-markdown', 'send-alert'] as const
export type Task = typeof tasks[number]

export const jobStates = ['waiting', 'running', 'done', 'failed'] as const

export const Job = Type.Object({
  id: Uuid,
  task: Words(tasks, { description: 'What the job does.' }),
  state: Words(jobStates, { description: 'waiting: for its turn, or for another try; running; done; failed: it will not be tried again by itself.' }),
  paper_id: Nullable(Type.String({ format: 'uuid' }), 'The paper it works on.'),
  project_id: Nullable(Type.String({ format: 'uuid' }), 'The project it works for.'),
  attempts: Type.Integer({ description: 'How often it was begun.' }),
  error: Nullable(Type.String(), 'Why it failed, or why the last try did.'),
  result: Nullable(Type.Record(Type.String(), Type.Unknown()), 'What came of it.'),
  created_at: Type.String({ format: 'date-time', description: 'When it was queued.' }),
  updated_at: Type.String({ format: 'date-time', description: 'When its state last changed.' })
}, { description: 'A piece of background work.' })
export type Job = Static<typeof Job>

export const JobInput = Type.Object({ job_id: Type.String({ format: 'uuid', description: 'The job\'s UUID.' }) }, { additionalProperties: false })

export const JobsListInput = Type.Object({
  state: Type.Optional(Words(jobStates, { description: 'Only jobs in this state.' })),
  ...paging
}, { additionalProperties: false })

export const JobsListResult = Type.Object({
  items: Type.Array(Job, { description: 'Last changed first.' }),
  total: Type.Integer({ minimum: 0, description: 'Jobs that match, on all pages.' }),
  ...page
})
