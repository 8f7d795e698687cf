import { countJobs, listJobs } from '../../../db/queries/jobs.js'
import { JobsListInput, JobsListResult, maxCountedJobs } from '../../../schemas/job.js'
import { defaultLimit } from '../../../schemas/paging.js'
import type { Context, ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { readPage, requireOffset } from '../read-page.js'
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
    requireOffset(offset, maxCountedJobs, 'jobs')
    const [{ rows, page }, total] = await Promise.all([
      readPage({ limit, offset }, async page => await listJobs(db, filter, page)),
      countJobs(db, filter, maxCountedJobs)
    ])
    return { items: rows.map(jobOf), total, ...page }
  }
})
