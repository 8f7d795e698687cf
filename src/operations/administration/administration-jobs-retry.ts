import { AdministrationJobsRetried, AdministrationJobsRetryInput } from '../../../schemas/administration.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For administrators. */
export const administrationJobsRetry = operation({
  name: 'administration_jobs_retry',
  title: 'Retry all failed jobs of a kind',
  description: 'Requeues the failed jobs of one kind, of all accounts.',
  input: AdministrationJobsRetryInput,
  output: AdministrationJobsRetried,
  handler: async ({ queue }: ServiceContext, { task }) => ({ task, retried: await queue.retryAll(task) })
})
