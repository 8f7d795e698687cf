import { Type } from 'typebox'
import type { Db } from '../../../db/connection.js'
import { listDueAlerts } from '../../../db/queries/alerts.js'
import type { NewJob } from '../../../db/queries/jobs.js'
import { listDueScoring } from '../../../db/queries/relevance.js'
import { listDueSnapshots } from '../../../db/queries/snapshots.js'
import { listDueProjects } from '../../../db/queries/sources.js'
import { listDueZoteroSyncs } from '../../../db/queries/zotero.js'
import { NoInput } from '../../../schemas/empty.js'
import { isBackupDue } from '../../backups/backup-status.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { alertJob, backupJob, fetchJob, scoreJob, snapshotJob, zoteroJob } from '../../jobs/new-jobs.js'

/** Enqueues everything that is due and requeues the jobs of stopped processes. Idempotent. */
export const queueDue = operation({
  name: 'queue_due',
  title: 'Enqueue due work',
  description: 'Enqueues the fetches, scorings, alerts, syncs, snapshots and backups that are due.',
  input: NoInput,
  output: Type.Object({ queued: Type.Integer() }),
  async handler (context: ServiceContext) {
    await context.queue.requeueSilent()
    const queued = [
      await enqueueAll(context, listDueProjects, fetchJob),
      await enqueueAll(context, listDueScoring, scoreJob),
      await enqueueAll(context, listDueAlerts, alertJob),
      await enqueueAll(context, listDueZoteroSyncs, zoteroJob),
      await enqueueAll(context, listDueSnapshots, snapshotJob),
      await enqueueBackup(context)
    ]
    return { queued: queued.reduce((sum, each) => sum + each, 0) }
  }
})

async function enqueueBackup ({ db, queue, now, trace, installation: { backups } }: ServiceContext): Promise<number> {
  if (backups === undefined) return 0
  const isWanted = async (transaction: Db) => await isBackupDue(transaction, { now: now(), everyMs: backups.everyMs })
  if (!await isWanted(db)) return 0
  return Number((await queue.enqueue(backupJob(), { trace, isWanted })).created)
}

/** @param list returns the due rows; with an id, only that row if it is still due */
async function enqueueAll<T extends { id: string }> (
  { db, queue, now, trace }: ServiceContext,
  list: (db: Db, now: Date, id?: string) => Promise<T[]>,
  jobOf: (due: T) => NewJob
): Promise<number> {
  let queued = 0
  for (const due of await list(db, now())) {
    // Another process may have enqueued and done it since it was listed.
    const isWanted = async (transaction: Db) => (await list(transaction, now(), due.id)).length > 0
    if ((await queue.enqueue(jobOf(due), { trace, isWanted })).created) queued++
  }
  return queued
}
