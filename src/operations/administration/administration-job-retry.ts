import { JobInput } from '../../../schemas/job.js'
import { JobQueued } from '../../../schemas/project.js'
import { jobRetry } from '../jobs/job-retry.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For administrators. @throws JobNotFound also when the job has not failed */
export const administrationJobRetry = operation({
  name: 'administration_job_retry',
  title: 'Retry any account\'s job',
  description: 'Queues a failed job of any account again.',
  input: JobInput,
  output: JobQueued,
  handler: (context: ServiceContext, input) => jobRetry.run({ ...context, account: undefined }, input)
})
