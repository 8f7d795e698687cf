import { findImportOfJob } from '../../../db/queries/import-rejections.js'
import { findJob } from '../../../db/queries/jobs.js'
import { Job, JobInput } from '../../../schemas/job.js'
import { JobNotFound } from '../../errors/operation-errors.js'
import { countsOf, toImportResult } from '../../imports/import-counts.js'
import { jobOf } from '../../jobs/records.js'
import { operation } from '../operation.js'

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
    const imported = job.task === 'import-library' && job.result !== null ? await findImportOfJob(db, account.id, job_id) : undefined
    if (imported === undefined) return jobOf(job)
    // Its rejected records are stored with the import.
    return jobOf({ ...job, result: toImportResult(countsOf(imported.result, imported.file_name), imported.file_name) })
  }
})
