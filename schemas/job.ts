import { type Static, Type } from 'typebox'
import { Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

export const Job = Type.Object({
  id: Uuid,
  task: Type.String({ description: 'What the job does.' }),
  state: Words(['waiting', 'running', 'done', 'failed'], { description: 'Where the job stands.' }),
  paper_id: Nullable(Type.String({ format: 'uuid' }), 'The paper it works on.'),
  error: Nullable(Type.String(), 'Why it failed.'),
  created_at: Type.String({ format: 'date-time', description: 'When it was queued.' }),
  updated_at: Type.String({ format: 'date-time', description: 'When its state last changed.' })
}, { description: 'A piece of background work.' })
export type Job = Static<typeof Job>

export const JobInput = Type.Object({ job_id: Type.String({ format: 'uuid', description: 'The job\'s UUID.' }) }, { additionalProperties: false })
