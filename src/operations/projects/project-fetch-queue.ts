import { makeSourcesDue } from '../../../db/queries/sources.js'
import { JobQueued } from '../../../schemas/job.js'
import { ProjectInput } from '../../../schemas/project.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { fetchJob } from '../../jobs/new-jobs.js'

/** @throws ProjectNotFound */
export const projectFetchQueue = operation({
  name: 'project_fetch_queue',
  title: 'Fetch now',
  description: 'Queues a fetch from every source of a project now, ahead of schedule. The job\'s result lists what each source returned.',
  input: ProjectInput,
  output: JobQueued,
  scope: 'act',
  async handler (context, { project_id }) {
    const { db, queue, account, now, trace } = context
    await requireProject(context, project_id)
    await makeSourcesDue(db, account.id, project_id, now())
    const { id, created } = await queue.enqueue(fetchJob({ id: project_id, account_id: account.id }), { trace })
    return { job_id: id, created }
  }
})
