import { dayMs } from '../../../schemas/durations.js'
import { countJobsByTask, countFailingAlerts } from '../../../db/queries/state.js'
import { listAllJobs } from '../../../db/queries/jobs.js'
import { activeDays, AdministrationOverview } from '../../../schemas/administration.js'
import { taskTitles } from '../../../schemas/job.js'
import { NoInput } from '../../../schemas/project.js'
import { accountsList } from '../accounts/accounts-list.js'
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
  const [{ items }, { open }] = [await accountsList.run(context, {}), await invitationsList.run(context, {})]
  const since = new Date(context.now().getTime() - activeMs).toISOString()
  const enabled = items.filter(({ disabled_at }) => disabled_at === null)
  const byUse = [...items].sort((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''))
  return {
    total: items.length,
    active: enabled.filter(({ last_used_at }) => last_used_at !== null && last_used_at >= since).length,
    disabled: items.length - enabled.length,
    administrators: enabled.filter(({ administrator }) => administrator).length,
    open_invitations: open,
    items: byUse.slice(0, maxUsers)
  }
}

async function jobsOf ({ db }: ServiceContext) {
  const counted = await countJobsByTask(db)
  const total = (state: string) => counted.filter(each => each.state === state).reduce((sum, { count }) => sum + count, 0)
  const kinds = counted.filter(({ state }) => state === 'failed').sort((a, b) => b.count - a.count)
  const failures = []
  for (const { task, count } of kinds) {
    const jobs = await listAllJobs(db, { state: 'failed', task, ofEnabled: true }, { limit: maxFailures, offset: 0 })
    failures.push({ task, title: taskTitles[task] ?? task, failed: count, jobs: jobs.map(administrationJobOf) })
  }
  return {
    waiting: total('waiting'),
    running: total('running'),
    failed: total('failed'),
    failing_alerts: await countFailingAlerts(db),
    failures
  }
}
