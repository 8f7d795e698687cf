import { type SelectQueryBuilder, sql } from 'kysely'
import type { TaskName } from '../../schemas/job.js'
import type { Db } from '../connection.js'

/** Jobs of a task that one tick enqueues at most. */
const maxDue = 200

/** A job that failed is enqueued again after this time at the earliest: it may have ended the process that ran it. */
const retrySeconds = 60 * 60

/** A row whose job is due. The job's key is the row's id. */
interface DueRow { id: string, account_id: string, due_at: Date | null }

/**
 * Service-wide, for the ticker: the due rows that have no unfinished job of the task, and whose job has not failed within the hour since
 * they became due. Accounts take turns, so that many due rows of one do not keep those of others from being listed; within an account, the
 * row that has been due for the longest time comes first.
 * @param due selects all due rows
 * @param id limits it to one row, with or without an unfinished job
 * @param changedAt the column of `due` with the time since which the job would do something else, so that its earlier failures do not
 * count; null counts all of them. Default: when the row became due
 */
export async function listDue<Row extends DueRow> (
  db: Db,
  task: TaskName,
  due: SelectQueryBuilder<any, any, Row>,
  id: string | undefined,
  { changedAt = 'due_at' }: { changedAt?: Extract<keyof Row, string> | 'due_at' } = {}
): Promise<Row[]> {
  const condition = id === undefined
    ? sql`not exists (select from job where task = ${task} and once_key = due.id::text and state in ('waiting', 'running'))`
    : sql`due.id = ${id}`
  // By the clock of jobs, which is the database's. A failure that is later than now was recorded by a clock that ran ahead.
  const { rows } = await sql<Row>`
    select due.* from ${due} as due where ${condition}
      and not exists (
        select from job where task = ${task} and once_key = due.id::text and state = 'failed'
          and updated_at > now() - make_interval(secs => ${sql.lit(retrySeconds)}) and updated_at < now() + interval '1 minute'
          and updated_at >= coalesce(${sql.ref(`due.${changedAt}`)}, '-infinity'))
    order by row_number() over (partition by account_id order by due_at, id), due_at, id
    limit ${sql.lit(maxDue)}`.execute(db)
  return rows
}
