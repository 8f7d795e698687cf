import { findJob } from '../../../db/queries/jobs.js'
import { Job, JobInput } from '../../../schemas/job.js'
import { JobNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { jobOf } from '../../jobs/records.js'

/** @throws JobNotFound also if the job is another account's */
export const jobGet = operation({
  name: 'job_get',
  title: 'Get a job',
  description: 'Returns the state of a background job, with its result or error.',
  input: JobInput,
  output: Job,
  scope: 'read',
  async handler ({ db, account, key }, { job_id }) {
    const job = await findJob(db, account.id, job_id, key?.projectIds)
    if (job === undefined) throw new JobNotFound(job_id)
    return jobOf(job)
  }
})
