import {
  findZoteroAccount,
  findZoteroSync,
  isSameZoteroSync,
  updateZoteroAccount,
  updateZoteroSync,
  type ZoteroSyncDetails
} from '../../../db/queries/zotero.js'
import { ProjectInput } from '../../../schemas/project.js'
import { shownTime } from '../../../schemas/utc-time.js'
import { ZoteroSyncResult } from '../../../schemas/zotero.js'
import { NotFound } from '../../errors/operation-errors.js'
import { PermanentFailure, ServiceStops } from '../../jobs/failures.js'
import { ZoteroError } from '../../zotero/errors.js'
import type { Zotero } from '../../zotero/client.js'
import type { Context } from '../context.js'
import { toJobFailure } from '../job-failure.js'
import { operation } from '../operation.js'
import { importCollections } from '../../imports/import-collections.js'
import { missingCollection } from '../../zotero/collections.js'
import { openOwnZotero } from '../../zotero/own-zotero.js'
import { sendStarred } from '../../zotero/send-starred.js'
import { requireSameSync, SyncOutdated } from '../../zotero/sync-state.js'
import { minuteMs } from '../../../schemas/durations.js'

/** Between two syncs of a project. */
const intervalMs = 60 * minuteMs
/** After a sync that reached its bounds. */
const soonMs = minuteMs

/** The collection that receives starred papers is missing, or the key may not write. */
const isAboutTarget = (error: unknown): error is ZoteroError =>
  error instanceof ZoteroError && (error.fault === 'not_found' || error.fault === 'forbidden')

/**
 * Syncs a project with Zotero: new items of its collections enter the feed, starred papers enter its target collection. Items are
 * identified by their keys, so a retry resumes at the same item and adds nothing twice. A sync that is stopped or changed meanwhile ends
 * early: the next one follows the new settings.
 * @throws PermanentFailure if the project does not sync, or Zotero rejects the key; ZoteroError, HttpError
 */
export const zoteroSync = operation({
  name: 'zotero_sync',
  title: 'Sync with Zotero',
  description: 'Adds new items of a project\'s Zotero collections to its feed, and its starred papers to a collection.',
  input: ProjectInput,
  output: ZoteroSyncResult,
  async handler (context: Context, { project_id }) {
    const { db, account, now } = context
    const sync = await findZoteroSync(db, account.id, project_id)
    if (sync === undefined) throw new PermanentFailure('The project no longer syncs with Zotero.')
    const connected = await findZoteroAccount(db, account.id)
    if (connected === undefined) throw new PermanentFailure('The account is no longer connected to Zotero.')
    const { api_key: key } = connected
    try {
      return await run(context, await open(context), sync, key)
    } catch (error) {
      if (context.signal?.reason instanceof ServiceStops) throw context.signal.reason
      if (error instanceof SyncOutdated) return outdated
      const failure = toJobFailure(error)
      if (error instanceof ZoteroError) {
        if (error.detail !== undefined) context.log.warn({ fault: error.fault, detail: error.detail }, 'Zotero refused a request.')
        if (error.fault === 'busy') return await postpone(context, project_id, key, error)
      }
      // The error is not about the new settings, nor the key that they may come with.
      if (!await isSameZoteroSync(db, account.id, sync)) return outdated
      const isRejected = error instanceof ZoteroError && error.fault === 'key_rejected'
      if (isRejected && !await updateZoteroAccount(db, account.id, key, { rejected_at: now() })) return outdated
      const isFinal = error instanceof ZoteroError && ['key_rejected', 'forbidden', 'not_found', 'unexpected'].includes(error.fault)
      const next = new Date(now().getTime() + intervalMs)
      await updateZoteroSync(db, account.id, project_id, { last_error: failure.message, next_sync_at: next })
      throw isFinal ? new PermanentFailure(failure.message, { cause: error }) : error
    }
  }
})

/** The result of a sync that was stopped or changed while it ran. */
const outdated = { added: 0, sent: 0, paused_until: null, more: false }

async function open (context: Context): Promise<Zotero> {
  try {
    return await openOwnZotero(context, context.signal)
  } catch (cause) {
    throw cause instanceof NotFound ? new PermanentFailure('The account is no longer connected to Zotero.', { cause }) : cause
  }
}

async function run (context: Context, zotero: Zotero, sync: ZoteroSyncDetails, key: Uint8Array) {
  const { db, account, now } = context
  const imported = await importCollections(context, zotero, sync)
  const problems = [...imported.problems]
  let sent = { sent: 0, more: false }
  if (sync.target !== null && !imported.missing.has(sync.target.key)) {
    try {
      sent = await sendStarred(context, zotero, sync, sync.target)
    } catch (error) {
      if (!isAboutTarget(error)) throw error
      problems.push(error.fault === 'forbidden' ? error.message : missingCollection(sync.target.name))
    }
  }
  const more = imported.more || sent.more
  await requireSameSync(context, sync)
  const pausedUntil = zotero.backoff() > 0 ? new Date(now().getTime() + zotero.backoff() * 1000) : null
  await updateZoteroAccount(db, account.id, key, { paused_until: pausedUntil })
  await updateZoteroSync(db, account.id, sync.project_id, {
    last_synced_at: now(),
    last_error: problems.length === 0 ? null : problems.join(' '),
    next_sync_at: new Date(now().getTime() + (more ? soonMs : intervalMs))
  })
  return { added: imported.added, sent: sent.sent, paused_until: pausedUntil?.toISOString() ?? null, more }
}

/** Leaves Zotero alone for the time that it asked for; the schedule continues then. */
async function postpone (
  { db, account, now }: Context,
  projectId: string,
  key: Uint8Array,
  { retryAfter = 60 }: ZoteroError
) {
  const until = new Date(now().getTime() + retryAfter * 1000)
  if (!await updateZoteroAccount(db, account.id, key, { paused_until: until })) return outdated
  await updateZoteroSync(db, account.id, projectId, {
    last_error: `Zotero asked Litfeed to slow down until ${shownTime(until)}. The sync continues then.`,
    next_sync_at: until
  })
  return { added: 0, sent: 0, paused_until: until.toISOString(), more: true }
}
