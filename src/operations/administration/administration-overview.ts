import { dayMs } from '../../../schemas/durations.js'
import { countAccountsByUse } from '../../../db/queries/accounts.js'
import { countFailingAlerts, summarizeJobs } from '../../../db/queries/state.js'
import { listAllJobs } from '../../../db/queries/jobs.js'
import { activeDays, AdministrationOverview } from '../../../schemas/administration.js'
import { taskTitles } from '../../../schemas/job.js'
import { NoInput } from '../../../schemas/empty.js'
import { readAccounts } from '../../accounts/listed-accounts.js'
import type { ServiceContext } from '../context.js'
import { invitationsList } from '../invitations/invitations-list.js'
import { operation } from '../operation.js'
import { administrationJobOf } from './administration-jobs.js'
import { administrationSources } from './administration-sources.js'
import { serviceReport } from './service-report.js'

/** Accounts and failed jobs of a kind that an overview lists. */
const [maxUsers, maxFailures] = [10, 3]
const activeMs = activeDays * dayMs

/** For administrators: contains no secrets, and nothing that people read. */
export const administrationOverview = operation({
  name: 'administration_overview',
  title: 'Get the overview of the service',
  description: 'Returns users, jobs, sources and storage at a glance: recent activity, failed jobs and sources with reasons and affected ' +
    'users, and used and free space.',
  input: NoInput,
  output: AdministrationOverview,
  async handler (context: ServiceContext) {
    const [users, jobs, sources, report] = [
      await usersOf(context),
      await jobsOf(context),
      await administrationSources.run(context, {}),
      await serviceReport.run(context, {})
    ]
    const { ready, database, disk, uploads, backups, counts } = report
    const bytes = database.tables.find(({ name }) => name === 'markdown')?.bytes ?? 0
    return {
      users,
      jobs,
      sources: sources.items,
      storage: { database, disk, uploads, backups, full_texts: { count: counts.full_texts, bytes } },
      ready
    }
  }
})

async function usersOf (context: ServiceContext) {
  const { db, now } = context
  return {
    ...await countAccountsByUse(db, new Date(now().getTime() - activeMs)),
    open_invitations: (await invitationsList.run(context, {})).open,
    items: await readAccounts(db, { limit: maxUsers, offset: 0, order: 'used' })
  }
}

async function jobsOf ({ db }: ServiceContext) {
  const counted = await summarizeJobs(db)
  const total = (state: string) => counted.filter(each => each.state === state).reduce((sum, { jobs }) => sum + jobs, 0)
  const kinds = counted.filter(({ state }) => state === 'failed').sort((a, b) => b.jobs - a.jobs)
  const failures = []
  for (const { task, jobs: failed } of kinds) {
    const jobs = await listAllJobs(db, { state: 'failed', task, ofEnabled: true }, { limit: maxFailures, offset: 0 })
    failures.push({ task, title: taskTitles[task] ?? task, failed, jobs: jobs.map(administrationJobOf) })
  }
  return {
    waiting: total('waiting'),
    running: total('running'),
    failed: total('failed'),
    failing_alerts: await countFailingAlerts(db),
    failures
  }
}
