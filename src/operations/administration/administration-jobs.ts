import { countJobsByState, listAllJobs } from '../../../db/queries/jobs.js'
import { AdministrationJobsInput, AdministrationJobsResult } from '../../../schemas/administration.js'
import { defaultLimit } from '../../../schemas/paging.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** Converts a stored job to what administrators see of it. */
export const administrationJobOf = ({ created_at, updated_at, ...job }: Awaited<ReturnType<typeof listAllJobs>>[number]) => ({
  ...job,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString()
})

/** For administrators. */
export const administrationJobs = operation({
  name: 'administration_jobs',
  title: 'List every account\'s jobs',
  description: 'Returns a page of the background jobs of all accounts, optionally by state and kind. Failed jobs have an error; the ' +
    'objects of jobs are not shown.',
  input: AdministrationJobsInput,
  output: AdministrationJobsResult,
  async handler ({ db }: ServiceContext, { state, task, limit = defaultLimit, offset = 0 }) {
    const [jobs, states] = await Promise.all([listAllJobs(db, { state, task }, { limit, offset }), countJobsByState(db, task)])
    const counts = { waiting: 0, running: 0, done: 0, failed: 0, ...Object.fromEntries(states.map(({ state, count }) => [state, count])) }
    const total = state === undefined ? counts.waiting + counts.running + counts.done + counts.failed : counts[state]
    const items = jobs.map(administrationJobOf)
    return { items, total, counts, limit, offset, has_more: offset + items.length < total }
  }
})
