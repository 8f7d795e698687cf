import { JobQueued, JobInput } from '../../../schemas/job.js'
import { JobNotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For administrators. @throws JobNotFound also if the job has not failed */
export const administrationJobRetry = operation({
  name: 'administration_job_retry',
  title: 'Retry any account\'s job',
  description: 'Requeues a failed job of any account.',
  input: JobInput,
  output: JobQueued,
  async handler ({ queue }: ServiceContext, { job_id }) {
    if (!await queue.retry(null, job_id)) throw new JobNotFound(job_id, 'failed')
    return { job_id, created: true }
  }
})
