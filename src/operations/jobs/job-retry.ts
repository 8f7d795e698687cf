import { JobQueued, JobInput } from '../../../schemas/job.js'
import { JobNotFound } from '../../errors/operation-errors.js'
import type { Context, ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** @throws JobNotFound also if the job has not failed @throws RateLimited if too many jobs of its kind wait */
export const jobRetry = operation({
  name: 'job_retry',
  title: 'Retry a job',
  description: 'Requeues a failed job.',
  input: JobInput,
  output: JobQueued,
  scope: 'act',
  async handler ({ queue, account, key }: ServiceContext & Partial<Pick<Context, 'account' | 'key'>>, { job_id }) {
    if (!await queue.retry(account?.id ?? null, job_id, key?.projectIds)) throw new JobNotFound(job_id, 'failed')
    return { job_id, created: true }
  }
})
