import { countJobs, listJobs } from '../../../db/queries/jobs.js'
import { JobsListInput, JobsListResult } from '../../../schemas/job.js'
import { defaultLimit } from '../../../schemas/paging.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { jobOf } from '../../jobs/records.js'

/** Lists the jobs of the account, or of all accounts where the operator calls without one. */
export const jobsList = operation({
  name: 'jobs_list',
  title: 'List jobs',
  description: 'Lists background jobs by state, failed ones with their error.',
  input: JobsListInput,
  output: JobsListResult,
  async handler ({ db, account }: ServiceContext & { account?: { id: string } }, { state, limit = defaultLimit, offset = 0 }) {
    const filter = { accountId: account?.id ?? null, state }
    const [jobs, total] = await Promise.all([listJobs(db, filter, { limit, offset }), countJobs(db, filter)])
    return { items: jobs.map(jobOf), total, limit, offset, has_more: offset + jobs.length < total }
  }
})
