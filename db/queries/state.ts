import { sql } from 'kysely'
import type { Task } from '../../schemas/job.js'
import type { Db } from '../connection.js'
import { isAccountEnabled } from './job-claims.js'

/** Number of unfinished and failed jobs by task and state, with the time of the oldest change. Leaves out jobs of disabled accounts. */
export const summariseJobs = (db: Db) =>
  db.selectFrom('job').select(({ fn }) => ['task', 'state', fn.countAll<number>().as('jobs'), fn.min('updated_at').as('oldest')])
    .where('state', 'in', ['waiting', 'running', 'failed']).where(isAccountEnabled).groupBy(['task', 'state']).execute()

/**
 * For each source, over active projects of enabled accounts: number of queries, how many of them are failing, the last success, and the
 * next due time.
 */
export const summariseSources = (db: Db) =>
  db
    .selectFrom('source_state')
    .innerJoin('project', 'project.id', 'source_state.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select(({ fn }) => [
      'source_state.name',
      fn.countAll<number>().as('queries'),
      fn.countAll<number>().filterWhere('failures', '>', 0).as('failing'),
      fn.max('source_state.last_fetched_at').as('last_success'),
      fn.min('next_fetch_at').as('next_due')
    ])
    .where('matching_state', '=', 'active').where('account.disabled_at', 'is', null).groupBy('source_state.name').execute()

/** The last job of a task that is done, and the last that failed. */
export const findLastJobs = (db: Db, task: Task) =>
  db.selectFrom('job').distinctOn('state').select(['state', 'updated_at', 'error', 'result'])
    .where('task', '=', task).where('state', 'in', ['done', 'failed']).orderBy('state').orderBy('updated_at', 'desc').execute()

/** Number of alerts whose last delivery failed. */
export async function countFailingAlerts (db: Db): Promise<number> {
  return (
    await db
      .selectFrom('alert')
      .select(({ fn }) => fn.countAll<number>().as('failing'))
      .where('last_error', 'is not', null)
      .executeTakeFirstOrThrow()
  ).failing
}

/** Whether the database accepts writes. A replica does not, nor does the embedded database while its disk is nearly full. */
export async function isWritable (db: Db): Promise<boolean> {
  const {
    rows: [setting]
  } = await sql<{ writable: boolean }>`select current_setting('transaction_read_only') = 'off' as writable`.execute(db)
  return setting!.writable
}

/** Bytes of all tables and indexes. */
export async function databaseSize (db: Db): Promise<number> {
  const { rows: [size] } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return size!.bytes
}
