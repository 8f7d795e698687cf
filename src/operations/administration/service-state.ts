import { Type } from 'typebox'
import { countFailingAlerts, databaseSize, isWritable, summarizeJobs, summarizeSources } from '../../../db/queries/state.js'
import { jobStates, taskNames } from '../../../schemas/job.js'
import { Words } from '../../../schemas/nullable.js'
import { NoInput } from '../../../schemas/empty.js'
import { sourceNames } from '../../sources/index.js'
import type { ServiceContext } from '../context.js'
import { findBackupStatus, isBackupFailing } from '../../backups/backup-status.js'
import { operation } from '../operation.js'

export const ServiceState = Type.Object({
  database_bytes: Type.Integer({ description: 'Size of the database.' }),
  database_writable: Type.Boolean({ description: 'Whether the database accepts writes: its disk has space and it is not a replica.' }),
  backups: Type.Union([
    Type.Object({
      since_success_seconds: Type.Union([Type.Number(), Type.Null()], { description: 'Seconds since the last; null: none.' }),
      failing: Type.Boolean({ description: 'Whether the last one failed.' }),
      interval_seconds: Type.Number({ description: 'Seconds between two of them.' })
    }),
    Type.Null()
  ], { description: 'Scheduled backups; null if BACKUP_DIR is not set.' }),
  failing_alerts: Type.Integer({ description: 'Alerts whose last delivery failed.' }),
  jobs: Type.Array(Type.Object({
    task: Words(taskNames, { description: 'Task of the jobs.' }),
    state: Words(jobStates, { description: 'State of the jobs; done jobs are not included.' }),
    jobs: Type.Integer({ description: 'Number of jobs.' }),
    oldest_seconds: Type.Number({ description: 'Seconds since the oldest job entered the state.' })
  })),
  sources: Type.Array(Type.Object({
    name: Type.String({ description: 'The source.' }),
    queries: Type.Integer({ description: 'Queries of active projects.' }),
    failing: Type.Integer({ description: 'Queries whose last fetch failed.' }),
    since_success_seconds: Type.Union([Type.Number(), Type.Null()], {
      description: 'Seconds since the last successful fetch; null if there is none.'
    }),
    overdue_seconds: Type.Number({ description: 'Seconds that the earliest fetch is overdue; 0 if none is.' })
  }))
})

/** For monitoring: the state of the service over all processes and accounts. */
export const serviceState = operation({
  name: 'service_state',
  title: 'Get the state of the service',
  description: 'Returns counts of jobs, of sources\' queries and of failing alerts over all accounts.',
  input: NoInput,
  output: ServiceState,
  async handler ({ db, now, installation: { backups } }: ServiceContext) {
    const since = (time: Date) => Math.max(0, (now().getTime() - time.getTime()) / 1000)
    const jobs = await summarizeJobs(db)
    const sources = await summarizeSources(db)
    const failing_alerts = await countFailingAlerts(db)
    const status = await findBackupStatus(db)
    return {
      database_bytes: await databaseSize(db),
      database_writable: await isWritable(db),
      backups: backups === undefined
        ? null
        : {
            since_success_seconds: status.last_success && since(status.last_success.at),
            failing: isBackupFailing(status),
            interval_seconds: backups.everyMs / 1000
          },
      failing_alerts,
      jobs: jobs.map(({ task, state, jobs, oldest }) => ({ task, state, jobs, oldest_seconds: since(oldest) })),
      sources: sources.filter(({ name }) => sourceNames.includes(name)).map(({ name, queries, failing, last_success, next_due }) => ({
        name, queries, failing, since_success_seconds: last_success === null ? null : since(last_success), overdue_seconds: since(next_due)
      }))
    }
  }
})
