import { Type } from 'typebox'
import { countFailingAlerts, databaseSize, isWritable, summariseJobs, summariseSources } from '../../../db/queries/state.js'
import { jobStates, tasks } from '../../../schemas/job.js'
import { Words } from '../../../schemas/nullable.js'
import { NoInput } from '../../../schemas/project.js'
import { sourceNames } from '../../sources/index.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export const ServiceState = Type.Object({
  database_bytes: Type.Integer({ description: 'Size of the database.' }),
  database_writable: Type.Boolean({ description: 'Whether the database takes writes: it has room, and is no replica.' }),
  failing_alerts: Type.Integer({ description: 'Alerts whose last sending failed.' }),
  jobs: Type.Array(Type.Object({
    task: Words(tasks, { description: 'What they do.' }),
    state: Words(jobStates, { description: 'How they stand; those that are done are left out.' }),
    jobs: Type.Integer({ description: 'How many.' }),
    oldest_seconds: Type.Number({ description: 'Seconds that the oldest has been in that state.' })
  })),
  sources: Type.Array(Type.Object({
    name: Type.String({ description: 'The source.' }),
    questions: Type.Integer({ description: 'What active projects ask of it.' }),
    failing: Type.Integer({ description: 'Questions whose last look failed.' }),
    since_success_seconds: Type.Union([Type.Number(), Type.Null()], { description: 'Seconds since the last look that succeeded; null: none has.' }),
    overdue_seconds: Type.Number({ description: 'Seconds that the earliest look is late; 0 while none is.' })
  }))
})

/** How the whole service stands, over all its processes and accounts: for whoever watches it. */
export const serviceState = operation({
  name: 'service_state',
  title: 'State of the service',
  description: 'Counts background work, looks at sources and alerts that fail, over all accounts.',
  input: NoInput,
  output: ServiceState,
  async handler ({ db, now }: ServiceContext) {
    const since = (time: Date) => Math.max(0, (now().getTime() - time.getTime()) / 1000)
    const [jobs, sources, failing_alerts] = [await summariseJobs(db), await summariseSources(db), await countFailingAlerts(db)]
    return {
      database_bytes: await databaseSize(db),
      database_writable: await isWritable(db),
      failing_alerts,
      jobs: jobs.map(({ task, state, jobs, oldest }) => ({ task, state, jobs, oldest_seconds: since(oldest) })),
      sources: sources.filter(({ name }) => sourceNames.includes(name)).map(({ name, questions, failing, last_success, next_due }) => ({
        name, questions, failing, since_success_seconds: last_success === null ? null : since(last_success), overdue_seconds: since(next_due)
      }))
    }
  }
})
