import { type Static, Type } from 'typebox'
import { isOneOf, keysOf } from './closed-lists.js'
import { count, time } from './fields.js'
import { Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { ImportProgress } from './library-import.js'
import { page, paging } from './paging.js'

/** The kinds of background work, with their titles for people. */
export const taskTitles = {
  'fetch-project': 'Fetch papers',
  'add-paper': 'Add paper',
  'import-library': 'Import library',
  'score-project': 'Score feed',
  'write-summaries': 'Write summaries',
  'convert-markdown': 'Convert full text',
  'send-alert': 'Send alert',
  'send-password-reset': 'Send password link',
  'back-up': 'Back up',
  'sync-zotero': 'Sync with Zotero',
  'check-notices': 'Check for retractions and corrections',
  'freeze-snapshot': 'Freeze snapshot'
} as const
/** The kind of a job. */
export type TaskName = keyof typeof taskTitles
/** Every kind of job. */
export const taskNames = keysOf(taskTitles)

/** Days that ended jobs are kept: people read failed ones, and have weekends and holidays. */
export const jobRetentionDays = 30
/** Ended jobs of an account, a task and a state that are kept, the newest. */
export const maxKeptJobs = 1000
/** A list counts at most this many jobs, and no page starts after them. */
export const maxCountedJobs = 10_000

/** States of a job: `waiting` includes waiting for a retry. */
export const jobStates = ['waiting', 'running', 'done', 'failed'] as const
/** States of a job that will run, or runs. */
export const unfinishedStates = ['waiting', 'running'] as const

/** Whether a job, or what it does, has not ended. */
export const isUnfinished = ({ state }: { state: string }): boolean => isOneOf(unfinishedStates, state)

/** The job that does the work, and whether this call queued it. */
export const JobQueued = Type.Object({
  job_id: Uuid,
  created: Type.Boolean({ description: 'False if an unfinished job already existed.' })
}, { description: 'The queued job. GET /api/jobs/{job_id} returns its state.' })

/** A piece of background work. */
export const Job = Type.Object({
  id: Uuid,
  task: Words(taskNames, { description: 'Type of the job.' }),
  state: Words(jobStates, { description: 'waiting: queued, or due for a retry later; running; done; failed: no further retry.' }),
  paper_id: Nullable(Type.String({ format: 'uuid' }), 'The paper that the job is about.'),
  project_id: Nullable(Type.String({ format: 'uuid' }), 'The project that the job is for.'),
  attempts: Type.Integer({ description: 'Attempts so far.' }),
  error: Nullable(Type.String(), 'Why the job or its last attempt failed.'),
  progress: Nullable(ImportProgress, 'Progress of an import; null for other jobs.'),
  result: Nullable(Type.Record(Type.String(), Type.Unknown()), 'The result of a job that is done.'),
  created_at: time('When it was queued.'),
  updated_at: time('When its state last changed.')
}, { description: 'A background job.' })
export type Job = Static<typeof Job>

/** Names a job. */
export const JobInput = Type.Object(
  { job_id: Type.String({ format: 'uuid', description: "The job's UUID." }) },
  { additionalProperties: false }
)

/** Filters jobs. */
export const JobsListInput = Type.Object({
  state: Type.Optional(Words(jobStates, { description: 'Only jobs in this state.' })),
  ...paging
}, { additionalProperties: false })

/** A page of jobs, last changed first. */
export const JobsListResult = Type.Object({
  items: Type.Array(Job, {
    description: 'Most recently changed first. Their results leave out rejected records; GET /api/jobs/{job_id} has them.'
  }),
  total: count(`Matching jobs on all pages, counted up to ${maxCountedJobs.toLocaleString('en')}.`),
  ...page
})
