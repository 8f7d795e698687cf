import { Type } from 'typebox'
import { listDueAlerts } from '../../db/queries/alerts.js'
import { listLongWaiting, takeBackSilent } from '../../db/queries/jobs.js'
import { listDueScoring } from '../../db/queries/relevance.js'
import { listDueProjects } from '../../db/queries/sources.js'
import { NoInput } from '../../schemas/project.js'
import { operation, type ServiceContext } from './operation.js'
import { alertJob, fetchJob, queueJob, scoreJob } from './queue-job.js'

/** A running job's process says so every 10 s; after this long it is gone. */
const silence = 60_000
/** A job that has waited this long is sent once more: its delivery may be lost, as after a restore. */
const longWait = 30 * 60_000
const mostAttempts = 5

/** Queues everything whose time has come, and what other processes left behind. Doing it twice has the effect of once. */
export const queueDue = operation({
  name: 'queue_due',
  title: 'Queue what is due',
  description: 'Queues fetches, scoring and alerts whose time has come.',
  input: NoInput,
  output: Type.Object({ queued: Type.Integer() }),
  async run (context: ServiceContext) {
    const { db, queue, now } = context
    const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds)
    await queue.ready()
    await db.transaction().execute(async transaction => {
      for (const { id, task, state } of await takeBackSilent(transaction, ago(silence), mostAttempts)) await (state === 'failed' ? queue.drop(transaction, task, id) : queue.revive(transaction, task, id))
      for (const { id, task } of await listLongWaiting(transaction, ago(longWait))) await queue.revive(transaction, task, id)
    })
    const due = [
      ...(await listDueProjects(db, now())).map(fetchJob),
      ...(await listDueScoring(db, now())).map(scoreJob),
      ...(await listDueAlerts(db, now())).map(alertJob)
    ]
    let queued = 0
    for (const job of due) if ((await queueJob(context, job)).created) queued++
    return { queued }
  }
})
