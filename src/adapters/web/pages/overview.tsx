import { Type } from 'typebox'
import type { AdministrationOverview } from '../../../../schemas/administration.js'
import { taskTitles } from '../../../../schemas/job.js'
import { administrationJobRetry } from '../../../operations/administration/administration-job-retry.js'
import { administrationJobsRetry } from '../../../operations/administration/administration-jobs-retry.js'
import { administrationOverview } from '../../../operations/administration/administration-overview.js'
import { administrationSourceUpdate } from '../../../operations/administration/administration-source-update.js'
import { action, administratorPage } from '../page.js'
import { Administration } from '../components/administration.js'
import { formatBytes, formatCount } from '../components/figures.js'
import { Notice } from '../components/notice.js'
import { FailedJobs } from './overview/jobs.js'
import { dependentsOf, Sources } from './overview/sources.js'
import { Backups, isDiskNearlyFull, Storage } from './overview/storage.js'
import { Users } from './overview/users.js'

const path = '/administration'
const SourceName = Type.Pick(administrationSourceUpdate.input, ['source'])

/** Users, jobs, sources and storage at a glance, for administrators. */
export const overviewPage = administratorPage({
  url: path,
  operations: [administrationOverview],
  query: Type.Object({}),
  show: async context => ({ title: 'Administration', content: <Overview {...await administrationOverview.run(context, {})} /> }),
  actions: {
    retry: action({
      operations: [administrationJobRetry],
      fields: administrationJobRetry.input,
      async run (context, input) {
        await administrationJobRetry.run(context, input)
        return { to: path, notice: 'The job will be retried.' }
      }
    }),
    'retry-all': action({
      operations: [administrationJobsRetry],
      fields: administrationJobsRetry.input,
      async run (context, input) {
        const { task, retried } = await administrationJobsRetry.run(context, input)
        return { to: path, notice: `${taskTitles[task]}: ${formatCount(retried)} ${retried === 1 ? 'job' : 'jobs'} will be retried.` }
      }
    }),
    'disable-source': action({
      operations: [administrationSourceUpdate],
      fields: SourceName,
      async run (context, { source }) {
        const updated = await administrationSourceUpdate.run(context, { source, disabled: true })
        return { to: `${path}#sources`, notice: `${updated.title} was disabled. ${dependentsOf(updated, 'now')}` }
      }
    }),
    'enable-source': action({
      operations: [administrationSourceUpdate],
      fields: SourceName,
      async run (context, { source }) {
        const { title, projects } = await administrationSourceUpdate.run(context, { source, disabled: false })
        const fetching = `${formatCount(projects)} ${projects === 1 ? 'project fetches' : 'projects fetch'} what was missed.`
        const fetched = projects === 0 ? '' : ` ${fetching}`
        return { to: `${path}#sources`, notice: `${title} was enabled.${fetched}` }
      }
    })
  }
})

/** The page of an overview. */
export const Overview = ({ users, jobs, sources, storage, ready }: AdministrationOverview) => (
  <Administration>
    <Health jobs={jobs} sources={sources} storage={storage} ready={ready} />
    <Users {...users} />
    <FailedJobs {...jobs} />
    <Sources sources={sources} />
    <Storage {...storage} />
    <Backups backups={storage.backups} />
  </Administration>
)

function Health ({ jobs, sources, storage: { disk, backups }, ready }: Omit<AdministrationOverview, 'users'>) {
  const isFull = isDiskNearlyFull(disk)
  const failing = sources.filter(({ state }) => state === 'failing').length
  const isUnrestorable = backups?.last_verified?.ok === false
  const isWell = ready && !isFull && backups?.failing !== true && !isUnrestorable
  const facts = [
    ...(jobs.failed > 0 ? [`${formatCount(jobs.failed)} failed ${jobs.failed === 1 ? 'job' : 'jobs'}`] : []),
    ...(failing > 0 ? [`${failing} failing ${failing === 1 ? 'source' : 'sources'}`] : []),
    ...(jobs.failing_alerts > 0 ? [`${formatCount(jobs.failing_alerts)} failing ${jobs.failing_alerts === 1 ? 'alert' : 'alerts'}`] : []),
    ...(backups?.failing === true ? ['the last backup failed'] : []),
    ...(isUnrestorable ? ['the last verified backup cannot be restored'] : [])
  ]
  return (
    <>
      {!ready && <Notice kind='bad'>The database schema is out of date, so requests are refused. Restart the service.</Notice>}
      {isFull && <Notice kind='warn'>The disk is nearly full: {formatBytes(disk!.free_bytes)} left.</Notice>}
      <p class={`condition ${isWell ? 'well' : ''}`}>
        {!isWell ? 'Needs attention.' : facts.length > 0 ? 'Running.' : 'All systems OK.'}
        {facts.length > 0 && <> <span class='quiet-text'>{facts.join(', ')}.</span></>}
      </p>
    </>
  )
}
