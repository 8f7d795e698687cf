import { countJobs, listJobs } from '../../../db/queries/jobs.js'
import { JobsListInput, JobsListResult, maxCountedJobs } from '../../../schemas/job.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import type { Context, ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { jobOf } from '../../jobs/records.js'

/** Returns the jobs of the account, or of all accounts if the operator calls it without one. @throws InvalidArguments */
export const jobsList = operation({
  name: 'jobs_list',
  title: 'List jobs',
  description: 'Returns a page of background jobs, optionally by state. Failed jobs have an error.',
  input: JobsListInput,
  output: JobsListResult,
  scope: 'read',
  async handler (
    { db, account, key }: ServiceContext & Partial<Pick<Context, 'account' | 'key'>>,
    { state, limit = defaultLimit, offset = 0 }
  ) {
    const filter = { accountId: account?.id ?? null, projectIds: key?.projectIds, state }
    if (offset > maxCountedJobs) {
      throw new InvalidArguments(`offset is larger than ${maxCountedJobs.toLocaleString('en')}, the maximum. Send a smaller one.`)
    }
    const [jobs, total] = await Promise.all([
      listJobs(db, filter, { limit: limit + 1, offset }),
      countJobs(db, filter, maxCountedJobs)
    ])
    return { items: jobs.slice(0, limit).map(jobOf), total, limit, offset, has_more: jobs.length > limit }
  }
})
