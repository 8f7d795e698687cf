import type { Db } from '../../db/connection.js'
import { beginJob, endJob, returnJob as returnTry, type RunningJob, showAlive } from '../../db/queries/jobs.js'
import type { Task } from '../../schemas/job.js'
import { readTrace, type Trace } from '../observability/trace.js'
import { GivenUp } from './permanent-failure.js'
import type { ServiceContext } from '../operations/context.js'

export type { Delivery } from '../../db/queue.js'

/** A job that this process works on. */
export interface TakenJob extends RunningJob {
  task: Task
  /** Whether a failure is followed by another try. */
  last: boolean
  /** The trace of the call that queued it. */
  trace: Trace | undefined
}

type JobContext = Pick<ServiceContext, 'db' | 'queue' | 'now'>

/** Takes the next job of a task, passing over those of these accounts. @returns undefined where none waits */
export async function takeJob (context: JobContext, task: Task, passedOver: readonly string[] = []): Promise<TakenJob | undefined> {
  for (;;) {
    const taken = await inStep(context, async transaction => {
      const delivered = await context.queue.take(transaction, task, passedOver)
      if (delivered === undefined) return undefined
      const job = await beginJob(transaction, delivered.id, context.now())
      // Deleted, or ended by an earlier delivery.
      if (job === undefined) await context.queue.drop(transaction, task, delivered.id)
      return { job, last: delivered.last, trace: readTrace(delivered.note?.traceparent) }
    })
    if (taken === undefined) return undefined
    const { job, ...delivery } = taken
    if (job !== undefined) return { ...job, ...delivery }
  }
}

export async function finishJob (context: JobContext, job: TakenJob, result: object): Promise<void> {
  await inStep(context, async transaction => {
    if (!await endJob(transaction, job, { state: 'done', result, now: context.now() })) return
    await context.queue.complete(transaction, job.task, job.id)
  })
}

/** Ends a try that failed: the job waits for the next, or has failed for good. @returns whether it has */
export async function failJob (context: JobContext, job: TakenJob, error: Error): Promise<boolean> {
  const failed = job.last || error instanceof GivenUp
  await inStep(context, async transaction => {
    const ended = await endJob(transaction, job, { state: failed ? 'failed' : 'waiting', error: error.message, now: context.now() })
    if (ended) await (failed ? context.queue.drop(transaction, job.task, job.id) : context.queue.retry(transaction, job.task, job.id, error.message))
  })
  return failed
}

/** Returns a job untried, for another process. */
export async function returnJob (context: JobContext, job: TakenJob): Promise<void> {
  await inStep(context, async transaction => {
    if (await returnTry(transaction, job, context.now())) await context.queue.giveBack(transaction, job.task, job.id)
  })
}

/** A job's row and its delivery change together: a process that ends between the two would leave the job to wait for half an hour. */
async function inStep<T> ({ db, queue }: JobContext, run: (transaction: Db) => Promise<T>): Promise<T> {
  await queue.ready()
  return await db.transaction().execute(run)
}

/** Says that the jobs are still worked on. */
export async function keepAlive ({ db, now }: JobContext, jobs: Iterable<TakenJob>): Promise<void> {
  const ids = [...jobs].map(({ id }) => id)
  if (ids.length > 0) await showAlive(db, ids, now())
}
