import { JobInput } from '../../../schemas/job.js'
import { JobQueued } from '../../../schemas/project.js'
import { JobNotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** @throws JobNotFound also when the job has not failed */
export const jobRetry = operation({
  name: 'job_retry',
  title: 'Retry a job',
  description: 'Queues a failed job again.',
  input: JobInput,
  output: JobQueued,
  async handler ({ queue, account }: ServiceContext & { account?: { id: string } | undefined }, { job_id }) {
    if (!await queue.retry(account?.id ?? null, job_id)) throw new JobNotFound(job_id, 'failed')
    return { job_id, created: true }
  }
})
