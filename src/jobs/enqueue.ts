import type { Db } from '../../db/connection.js'
import { addJob, type NewJob, removeJob } from '../../db/queries/jobs.js'
import { writeTrace } from '../observability/trace.js'
import type { ServiceContext } from '../operations/context.js'

/**
 * Queues a job, in one transaction with its delivery, or finds the one that waits or runs already.
 * @param isWanted asked once no other of its kind is unfinished: what the last one did can be seen then
 */
export async function queueJob ({ db, queue, trace }: Pick<ServiceContext, 'db' | 'queue' | 'trace'>, job: NewJob, isWanted?: (db: Db) => Promise<boolean>): Promise<{ id: string, created: boolean }> {
  await queue.ready()
  const queued = await db.transaction().execute(async transaction => {
    const added = await addJob(transaction, job)
    if (added.created && isWanted !== undefined && !await isWanted(transaction)) {
      await removeJob(transaction, added.id)
      return { ...added, created: false }
    }
    if (added.created) await queue.send(transaction, job.task, added.id, trace === undefined ? {} : { traceparent: writeTrace(trace) })
    return added
  })
  if (queued.created) queue.wake(job.task)
  return queued
}

export const fetchJob = ({ id, account_id }: { id: string, account_id: string }): NewJob => ({ task: 'fetch-project', once_key: id, project_id: id, account_id })
export const scoreJob = ({ id, account_id }: { id: string, account_id: string }): NewJob => ({ task: 'score-project', once_key: id, project_id: id, account_id })

export const summariesJob = ({ id, account_id }: { id: string, account_id: string }): NewJob => ({ task: 'write-summaries', once_key: id, project_id: id, account_id })

/** Where there is somebody who writes them, new items get written summaries. */
export async function queueSummaries (context: ServiceContext, project: { id: string, account_id: string }, entered: number): Promise<void> {
  if (context.summaries !== undefined && entered > 0) await queueJob(context, summariesJob(project))
}

/** A paper's full text is converted once for everybody. */
export const convertJob = (paperId: string): NewJob => ({ task: 'convert-markdown', once_key: paperId, paper_id: paperId, account_id: null })

/** Each upload is converted for its account alone; a later one is another job, whatever became of the first. */
export const convertUploadJob = (paperId: string, { account_id, created_at }: { account_id: string, created_at: Date }): NewJob =>
  ({ task: 'convert-markdown', once_key: `${paperId} ${account_id} ${created_at.toISOString()}`, paper_id: paperId, account_id })

export const alertJob = ({ id, project_id, account_id }: { id: string, project_id: string, account_id: string }): NewJob => ({ task: 'send-alert', once_key: id, alert_id: id, project_id, account_id })
