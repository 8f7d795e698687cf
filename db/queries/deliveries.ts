import { sql } from 'kysely'
import type { Task } from '../../schemas/job.js'
import type { Db } from '../connection.js'

/* What pg-boss has on its way, beside the jobs that it is of: its own questions know nothing of accounts. */

export interface TakenDelivery<Note> { id: string, retry_count: number, retry_limit: number, data: Note }

/** Takes a task's next delivery, as pg-boss 10 picks it (fetchNextJob in its plans.js), passing over the jobs of these accounts. */
export async function takeDelivery<Note> (transaction: Db, task: Task, passedOver: readonly string[]): Promise<TakenDelivery<Note> | undefined> {
  const { rows: [taken] } = await sql<TakenDelivery<Note>>`
    with next as (
      select delivery.id from pgboss.job delivery
      where delivery.name = ${task} and delivery.state < 'active' and delivery.start_after < now()
        and not exists (select from job where job.id = delivery.id and job.account_id = any(${passedOver}::uuid[]))
      order by delivery.priority desc, delivery.created_on, delivery.id limit 1 for update skip locked
    )
    update pgboss.job taken set state = 'active', started_on = now(), retry_count = case when started_on is not null then retry_count + 1 else retry_count end
    from next where taken.name = ${task} and taken.id = next.id
    returning taken.id, taken.retry_count, taken.retry_limit, taken.data`.execute(transaction)
  return taken
}

/** Returns a delivery as it was before it was taken: pg-boss counts a try for each take of one that has been begun. */
export const returnDelivery = (transaction: Db, task: Task, id: string) => sql`
  update pgboss.job set
    state = case when retry_count > 1 then 'retry' else 'created' end::pgboss.job_state,
    retry_count = greatest(retry_count - 1, 0),
    started_on = case when retry_count > 0 then started_on end
  where name = ${task} and id = ${id} and state = 'active'`.execute(transaction)

/** Whether nothing delivers a row of `job` that waits. */
export const isUndelivered = sql<boolean>`not exists (select from pgboss.job delivery where delivery.name = job.task and delivery.id = job.id and delivery.state < 'active')`
