import type { Generated, JSONColumnType } from 'kysely'
import type { Job } from '../../schemas/job.js'
import type { OptionalTime, Time } from './columns.js'

export interface JobTable {
  id: Generated<string>
  task: Job['task']
  state: Generated<Job['state']>
  account_id: string | null
  paper_id: string | null
  project_id: string | null
  alert_id: string | null
  /** One job of a task with this key waits or runs at a time. */
  once_key: string
  /** How often it was begun. */
  attempts: Generated<number>
  /** When the process that runs it last said so. */
  alive_at: OptionalTime
  error: string | null
  result: JSONColumnType<Record<string, unknown>, string | null | undefined, string> | null
  created_at: Time
  updated_at: Time
}
