import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Job } from '../../schemas/job.js'
import type { OptionalTime, Time } from './columns.js'

/** The job queue. */
export interface JobTable {
  id: Generated<string>
  task: Job['task']
  state: Generated<Job['state']>
  account_id: string | null
  /** The account whose turn it takes: its own, or the one that asked for the conversion of a shared paper. */
  requested_by: Generated<string | null>
  paper_id: string | null
  project_id: string | null
  alert_id: string | null
  /** The import of a library that it runs. */
  import_id: Generated<string | null>
  /** The paper to look up, in the form of src/papers/pasted-identifier.ts. */
  identifier: string | null
  /** The projects whose own papers the look-up may use, those of the key that asked for it; null: all of the account. */
  visible_projects: ColumnType<string[] | null, readonly string[] | null | undefined, never>
  /** Unique among the unfinished jobs of a task. */
  once_key: string
  /** The earliest time of the next attempt. */
  run_at: Time
  /** Attempts that were started, except those that were released. */
  attempts: Generated<number>
  /** The claim that holds a running job; every claim has an id of its own. */
  locked_by: string | null
  /** The last heartbeat of the process that runs it. */
  alive_at: OptionalTime
  /** The trace of the request that enqueued it, as a traceparent header. */
  traceparent: string | null
  error: string | null
  result: JSONColumnType<Record<string, unknown>, string | null | undefined, string> | null
  created_at: Time
  updated_at: Time
}
