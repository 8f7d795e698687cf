import { beginJob, endJob, returnJob as returnTry, type RunningJob, showAlive } from '../../db/queries/jobs.js'
import type { Task } from '../../schemas/job.js'
import { readTrace, type Trace } from '../trace.js'
import { GivenUp } from './given-up.js'
import type { ServiceContext } from './operation.js'

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

/** Takes the next job of a task. @returns undefined where none waits */
export async function takeJob ({ db, queue, now }: JobContext, task: Task): Promise<TakenJob | undefined> {
  for (;;) {
    const delivered = await queue.take(task)
    if (delivered === undefined) return undefined
    const job = await beginJob(db, delivered.id, now())
    if (job !== undefined) return { ...job, last: delivered.last, trace: readTrace(delivered.note?.traceparent) }
    // Deleted, or ended by an earlier delivery.
    await queue.drop(task, delivered.id)
  }
}

export async function finishJob ({ db, queue, now }: JobContext, job: TakenJob, result: object): Promise<void> {
  await endJob(db, job, { state: 'done', result, now: now() })
  await queue.complete(job.task, job.id)
}

/** Ends a try that failed. @returns whether the job has failed for good; else it waits for the next try */
export async function failJob ({ db, queue, now }: JobContext, job: TakenJob, error: Error): Promise<boolean> {
  const failed = job.last || error instanceof GivenUp
  await endJob(db, job, { state: failed ? 'failed' : 'waiting', error: error.message, now: now() })
  await (failed ? queue.drop(job.task, job.id) : queue.retry(job.task, job.id, error.message))
  return failed
}

/** Returns a job untried, for another process. */
export async function returnJob ({ db, queue, now }: JobContext, job: TakenJob): Promise<void> {
  await returnTry(db, job, now())
  await queue.giveBack(job.task, job.id)
}

/** Says that the jobs are still worked on. */
export async function keepAlive ({ db, now }: JobContext, jobs: Iterable<TakenJob>): Promise<void> {
  const ids = [...jobs].map(({ id }) => id)
  if (ids.length > 0) await showAlive(db, ids, now())
}
