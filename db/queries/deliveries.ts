import { type RawBuilder, sql } from 'kysely'
import type { Task } from '../../schemas/job.js'
import type { Db } from '../connection.js'

/* What pg-boss has on its way, beside the jobs that it is of: its own questions know nothing of accounts. */

export interface TakenDelivery<Note> { id: string, retry_count: number, retry_limit: number, data: Note }

/** How many jobs of a task one account has running at most, in whichever processes; those that say nothing since a time are their processes' that ended. */
export interface Share { most: number, aliveSince: Date }

/** The one of a task that is to be taken next, as pg-boss 10 picks it (fetchNextJob in its plans.js). */
const next = (task: Task, condition: RawBuilder<unknown>) => sql`
  select delivery.id from pgboss.job delivery
  where delivery.name = ${task} and delivery.state < 'active' and delivery.start_after < now() and ${condition}
  order by delivery.priority desc, delivery.created_on, delivery.id limit 1 for update skip locked`

/** Takes a task's next delivery, passing over the jobs of accounts that have their share running. */
export async function takeDelivery<Note> (transaction: Db, task: Task, share: Share | undefined): Promise<TakenDelivery<Note> | undefined> {
  // Two that counted at once would both see a place.
  if (share !== undefined) await sql`select pg_advisory_xact_lock(hashtextextended(${`take ${task}`}, 0))`.execute(transaction)
  const condition = share === undefined
    ? sql`true`
    : sql`not exists (
      select from job where job.id = delivery.id and job.state = 'waiting' and job.account_id in (
        select running.account_id from job running where running.task = ${task} and running.state = 'running' and running.account_id is not null and running.alive_at > ${share.aliveSince}
        group by running.account_id having count(*) >= ${share.most}))`
  const { rows: [taken] } = await sql<TakenDelivery<Note>>`
    with next as (${next(task, condition)})
    update pgboss.job taken set state = 'active', started_on = now(), retry_count = case when started_on is not null then retry_count + 1 else retry_count end
    from next where taken.name = ${task} and taken.id = next.id
    returning taken.id, taken.retry_count, taken.retry_limit, taken.data`.execute(transaction)
  return taken
}

/** Whether nothing delivers a row of `job` that waits. */
export const isUndelivered = sql<boolean>`not exists (select from pgboss.job delivery where delivery.name = job.task and delivery.id = job.id and delivery.state < 'active')`
