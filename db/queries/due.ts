import { type SelectQueryBuilder, sql } from 'kysely'
import type { Task } from '../../schemas/job.js'
import type { Db } from '../connection.js'

/** Jobs of a task that one tick enqueues at most. */
const maxDue = 200

/** A row whose job is due. The job's key is the row's id. */
interface DueRow { id: string, account_id: string, due_at: Date | null }

/**
 * Service-wide, for the ticker: the due rows that have no unfinished job of the task. Accounts take turns, so that many due rows of one do
 * not keep those of others from being listed; within an account, the row that has been due for the longest time comes first.
 * @param due selects all due rows
 * @param id limits it to one row, with or without a job
 */
export async function listDue<Row extends DueRow> (
  db: Db,
  task: Task,
  due: SelectQueryBuilder<any, any, Row>,
  id: string | undefined
): Promise<Row[]> {
  const condition = id === undefined
    ? sql`not exists (select from job where task = ${task} and once_key = due.id::text and state in ('waiting', 'running'))`
    : sql`due.id = ${id}`
  const { rows } = await sql<Row>`
    select due.* from ${due} as due where ${condition}
    order by row_number() over (partition by account_id order by due_at, id), due_at, id
    limit ${sql.lit(maxDue)}`.execute(db)
  return rows
}
