import { Type } from 'typebox'
import type { Db } from '../../../db/connection.js'
import { listDueAlerts } from '../../../db/queries/alerts.js'
import { holdUndelivered, type NewJob, takeBackSilent } from '../../../db/queries/jobs.js'
import { listDueScoring } from '../../../db/queries/relevance.js'
import { listDueProjects } from '../../../db/queries/sources.js'
import { NoInput } from '../../../schemas/project.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { alertJob, fetchJob, queueJob, scoreJob } from '../../jobs/enqueue.js'

/** A running job's process says so every 10 s; after this long it is gone. */
const silence = 60_000
/** A job that has waited this long and is not on its way is sent once more: its delivery was lost, as after a restore. */
const longWait = 30 * 60_000
const mostAttempts = 5

/** Queues everything whose time has come, and what other processes left behind. Doing it twice has the effect of once. */
export const queueDue = operation({
  name: 'queue_due',
  title: 'Queue what is due',
  description: 'Queues fetches, scoring and alerts whose time has come.',
  input: NoInput,
  output: Type.Object({ queued: Type.Integer() }),
  async handler (context: ServiceContext) {
    const { db, queue, now } = context
    const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds)
    await queue.ready()
    await db.transaction().execute(async transaction => {
      for (const { id, task, state } of await takeBackSilent(transaction, ago(silence), mostAttempts)) await (state === 'failed' ? queue.drop(transaction, task, id) : queue.revive(transaction, task, id))
      for (const { id, task } of await holdUndelivered(transaction, { before: ago(longWait) })) await queue.revive(transaction, task, id)
    })
    const queued = [await queueAll(context, listDueProjects, fetchJob), await queueAll(context, listDueScoring, scoreJob), await queueAll(context, listDueAlerts, alertJob)]
    return { queued: queued.reduce((sum, each) => sum + each, 0) }
  }
})

/** @param list what is due, or whether one of it is */
async function queueAll<T extends { id: string }> (context: ServiceContext, list: (db: Db, now: Date, id?: string) => Promise<T[]>, jobOf: (due: T) => NewJob): Promise<number> {
  let queued = 0
  for (const due of await list(context.db, context.now())) {
    // Another process may have queued and done it since it was listed.
    const isDue = async (db: Db) => (await list(db, context.now(), due.id)).length > 0
    if ((await queueJob(context, jobOf(due), isDue)).created) queued++
  }
  return queued
}
