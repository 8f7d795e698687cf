import { reviveJob } from '../../../db/queries/jobs.js'
import { JobInput } from '../../../schemas/job.js'
import { JobQueued } from '../../../schemas/project.js'
import { JobNotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** @throws JobNotFound also when the job has not failed */
export const jobRetry = operation({
  name: 'job_retry',
  title: 'Retry a job',
  description: 'Queues a job that failed for another try.',
  input: JobInput,
  output: JobQueued,
  async handler ({ db, queue, now, account }: ServiceContext & { account?: { id: string } | undefined }, { job_id }) {
    await queue.ready()
    const task = await db.transaction().execute(async transaction => {
      const revived = await reviveJob(transaction, account?.id ?? null, job_id, now())
      if (revived === undefined) throw new JobNotFound(job_id, 'failed')
      await queue.revive(transaction, revived.task, job_id)
      return revived.task
    })
    queue.wake(task)
    return { job_id, created: true }
  }
})
