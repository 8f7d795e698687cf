import { Type } from 'typebox'
import type { Db } from '../../../db/connection.js'
import { markSent, claimBatch } from '../../../db/queries/alert-items.js'
import { findAlertToSend, updateAlert, updateSentAlert } from '../../../db/queries/alerts.js'
import { claimNoticeBatch, markNoticesSent } from '../../../db/queries/alert-notices.js'
import { AlertInput } from '../../../schemas/alert.js'
import type { UnmarkedItem } from '../../../schemas/feed.js'
import { type ChangedPaper, digest, maxListedItems } from '../../alerts/digest.js'
import { setUpBy } from '../../alerts/records.js'
import { nextSendAtAfterFailure, nextSendAt } from '../../alerts/schedule.js'
import { noMailForAlerts } from '../../alerts/mail.js'
import { postWebhook } from '../../alerts/webhook.js'
import { JobFailure, PermanentFailure, ServiceStops } from '../../jobs/failures.js'
import type { ServiceContext } from '../context.js'
import { toJobFailure } from '../job-failure.js'
import { operation } from '../operation.js'
import { currentNotices, withdrawalsIn } from '../../papers/notices.js'
import { unmarkedItemOf } from '../../papers/records.js'
import { HostPaused } from '../../sources/requests/rate-limiter.js'
import { unsubscribeUrlOf } from '../../alerts/unsubscribe-tokens.js'

/** Bounds of a mail, whose text lists the best items, and of a webhook call: papers of large collaborations have 100 kB of authors. */
const batchLimits = {
  email: { maxItems: 1000, maxRead: maxListedItems },
  webhook: { maxItems: 100, maxRead: 100, maxBytes: 1_000_000 }
} as const

/** Maximum notices of one delivery; the next one has the rest. */
const maxNotices = 200

/**
 * Sends new items to an alert's target, each item once. A retry has the same id, so receivers can recognize it.
 * @throws an error if delivery failed, PermanentFailure if a retry cannot help, HostPaused if it was not attempted
 */
export const alertSend = operation({
  name: 'alert_send',
  title: 'Send an alert',
  description: 'Sends the items that entered a feed since the last delivery.',
  input: AlertInput,
  output: Type.Object({ sent: Type.Integer() }),
  async handler (context: ServiceContext, { alert_id }) {
    const { db, now, signal } = context
    const alert = await findAlertToSend(db, alert_id)
    if (alert === undefined) throw new PermanentFailure('The alert was deleted.')
    if (alert.unsubscribed_at !== null) return { sent: 0 }
    let sent = 0
    const began = now()
    // A clock that ran ahead claimed nothing of what came after it was set back.
    const claimed = alert.claimed_through !== null && alert.claimed_through <= began ? alert : { ...alert, claimed_through: null }
    try {
      let unsent = await takeChanged(context, alert)
      const nextBatch = async () => await claimBatch(db, alert.account_id, claimed, batchLimits[alert.kind])
      for (let batch = await nextBatch(); batch !== undefined; batch = await nextBatch()) {
        // Another attempt may have begun since.
        signal?.throwIfAborted()
        await deliver(context, alert, batch.batch, { items: batch.items.map(unmarkedItemOf), count: batch.count }, unsent?.papers)
        await markDelivered(db, alert, { items: batch.batch, notices: unsent?.batch }, now())
        sent += batch.count + (unsent?.papers.length ?? 0)
        unsent = undefined
      }
      if (unsent !== undefined) {
        if (unsent.papers.length > 0) await deliver(context, alert, unsent.batch, { items: [], count: 0 }, unsent.papers)
        await markDelivered(db, alert, { notices: unsent.batch }, now())
        sent += unsent.papers.length
      }
    } catch (error) {
      if (signal?.reason instanceof ServiceStops) throw signal.reason
      if (error instanceof HostPaused) {
        await updateAlert(db, alert.account_id, alert.id, { last_error: error.message })
        throw error
      }
      const failure = toJobFailure(error)
      // The job has its own retries, unless they cannot help; after them, the alert waits.
      const next = failure instanceof PermanentFailure ? nextSendAt : nextSendAtAfterFailure
      await updateSentAlert(db, alert.account_id, alert, {
        outcome: { last_error: failure.message },
        schedule: { next_send_at: next(alert, now()) }
      })
      throw error
    }
    await updateSentAlert(db, alert.account_id, alert, {
      outcome: { last_error: null, ...(sent > 0 ? { last_sent_at: now() } : {}) },
      schedule: { next_send_at: nextSendAt(alert, now()), claimed_through: began }
    })
    return { sent }
  }
})

type AlertToSend = NonNullable<Awaited<ReturnType<typeof findAlertToSend>>>

/**
 * Papers with notices that are news to the alert; another source of a notice that was sent is not news. They tell which papers the account
 * chose, so only mail to its own address has them.
 */
async function takeChanged ({ db }: ServiceContext, alert: AlertToSend): Promise<{ batch: string, papers: ChangedPaper[] } | undefined> {
  if (alert.kind !== 'email' || setUpBy(alert) !== undefined) return undefined
  const batch = await claimNoticeBatch(db, alert.account_id, alert, maxNotices)
  if (batch === undefined) return undefined
  return {
    batch: batch.batch,
    papers: batch.papers.map(({ id, title, notices, sent_through, withdrawn_kinds, ...paper }) => ({
      paper_id: id,
      paper_title: title,
      ...paper,
      notices: [
        ...currentNotices(notices).filter(({ first_seen }) =>
          new Date(first_seen) >= alert.created_at && (sent_through === null || new Date(first_seen) > sent_through)),
        ...withdrawalsIn(notices).filter(({ kind }) => withdrawn_kinds.includes(kind))
      ]
    })).filter(({ notices }) => notices.length > 0)
  }
}

/** Records what the target accepted, at once: items and notices of one mail are sent again together, under the same id, or not at all. */
async function markDelivered (
  db: Db,
  { id, account_id }: AlertToSend,
  { items, notices }: { items?: string, notices?: string | undefined },
  time: Date
): Promise<void> {
  await db.transaction().execute(async transaction => {
    if (items !== undefined) await markSent(transaction, account_id, id, items, time)
    if (notices !== undefined) await markNoticesSent(transaction, account_id, id, notices, time)
  })
}

async function deliver (
  context: ServiceContext,
  alert: AlertToSend,
  id: string,
  { items, count }: { items: UnmarkedItem[], count: number },
  changed: ChangedPaper[] = []
): Promise<void> {
  const { alerts: { mailer }, baseUrl, signal } = context
  if (alert.kind === 'webhook') {
    await postItems(context, alert, { type: 'feed.items', id, items })
    return
  }
  if (mailer === undefined) throw new PermanentFailure(noMailForAlerts)
  const unsubscribeUrl = unsubscribeUrlOf(context, alert.id)
  const project = { projectName: alert.project_name, projectId: alert.project_id }
  const content = digest({ ...project, items, count, changed, baseUrl: baseUrl(), unsubscribeUrl, setUpBy: setUpBy(alert) })
  await mailer.send({ to: alert.target, id, ...content }, signal)
}

/** What a webhook is sent: new items once, or some that it was or will be sent, to test it. */
interface Post { type: 'feed.items' | 'feed.test', id: string, items: UnmarkedItem[] }

/** Posts items to the webhook of an alert. @throws JobFailure unless the status of the response is 2xx, HttpError, HostPaused */
export async function postItems (
  { alerts: { webhooks, webhookSecret }, now, signal }: Pick<ServiceContext, 'alerts' | 'now' | 'signal'>,
  alert: AlertToSend,
  { type, id, items }: Post
): Promise<void> {
  const body = JSON.stringify({
    type,
    timestamp: now().toISOString(),
    data: { project_id: alert.project_id, project_name: alert.project_name, items }
  })
  const status = await postWebhook(webhooks, { url: alert.target, secret: webhookSecret(alert.id), id, body, now: now(), signal })
  requireAccepted(alert.target, status)
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** @throws JobFailure unless the status of a webhook's response is 2xx */
function requireAccepted (target: string, status: number): void {
  const { host } = new URL(target)
  if (redirectStatuses.has(status)) {
    throw new JobFailure(`${host} redirects (status ${status}), which webhooks do not follow. Delete this alert and create one for the ` +
      'final address.')
  }
  if (status < 200 || status > 299) throw new JobFailure(`${host} responded with status ${status}.`)
}
