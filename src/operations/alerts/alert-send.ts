import { Type } from 'typebox'
import { findAlertToSend, markSent, claimBatch, updateAlert } from '../../../db/queries/alerts.js'
import { AlertInput } from '../../../schemas/alert.js'
import type { UnmarkedItem } from '../../../schemas/feed.js'
import { digest } from '../../alerts/digest.js'
import { nextSendAtAfterFailure, nextSendAt } from '../../alerts/schedule.js'
import { postWebhook } from '../../alerts/webhook.js'
import { JobFailure, PermanentFailure } from '../../jobs/failures.js'
import type { ServiceContext } from '../context.js'
import { toJobFailure } from '../job-failure.js'
import { operation } from '../operation.js'
import { unmarkedItemOf } from '../../papers/records.js'
import { unsubscribeUrlOf } from './unsubscribe-url.js'

/** Maximum items per mail, whose text lists the best, and per webhook call. */
const batchSize = { email: 1000, webhook: 100 } as const

export interface SendContext extends ServiceContext { signal?: AbortSignal }

/**
 * Sends new items to an alert's target, each item once. A retry has the same id, so receivers can recognise it.
 * @throws an error if delivery failed, PermanentFailure if a retry cannot help
 */
export const alertSend = operation({
  name: 'alert_send',
  title: 'Send an alert',
  description: 'Sends the items that entered a feed since the last delivery.',
  input: AlertInput,
  output: Type.Object({ sent: Type.Integer() }),
  async handler (context: SendContext, { alert_id }) {
    const { db, now } = context
    const alert = await findAlertToSend(db, alert_id)
    if (alert === undefined) throw new PermanentFailure('The alert was deleted.')
    if (alert.unsubscribed_at !== null) return { sent: 0 }
    let sent = 0
    try {
      const nextBatch = async () => await claimBatch(db, alert.account_id, alert, batchSize[alert.kind])
      for (let batch = await nextBatch(); batch !== undefined; batch = await nextBatch()) {
        await deliver(context, alert, batch.batch, batch.items.map(unmarkedItemOf))
        await markSent(db, alert.account_id, alert_id, batch.batch, now())
        sent += batch.items.length
      }
    } catch (error) {
      // The job has its own retries; after them, the alert waits for its next time.
      await updateAlert(db, alert.account_id, alert_id, {
        last_error: toJobFailure(error).message,
        next_send_at: nextSendAtAfterFailure(alert, now())
      })
      throw error
    }
    await updateAlert(db, alert.account_id, alert_id, {
      next_send_at: nextSendAt(alert, now()),
      last_error: null,
      ...(sent > 0 ? { last_sent_at: now() } : {})
    })
    return { sent }
  }
})

type AlertToSend = NonNullable<Awaited<ReturnType<typeof findAlertToSend>>>

async function deliver (
  context: SendContext,
  alert: AlertToSend,
  id: string,
  items: UnmarkedItem[]
): Promise<void> {
  const { alerts: { mailer, webhooks, webhookSecret }, baseUrl, now, signal } = context
  if (alert.kind === 'webhook') {
    const body = JSON.stringify({
      type: 'feed.items',
      timestamp: now().toISOString(),
      data: { project_id: alert.project_id, project_name: alert.project_name, items }
    })
    const status = await postWebhook(webhooks, { url: alert.target, secret: webhookSecret(alert.id), id, body, now: now(), signal })
    if (status < 200 || status > 299) throw new JobFailure(`${new URL(alert.target).host} responded with status ${status}.`)
    return
  }
  if (mailer === undefined) throw new PermanentFailure('Email is not set up: the operator has not set SMTP_URL.')
  const unsubscribeUrl = unsubscribeUrlOf(context, alert.id)
  await mailer.send({ to: alert.target, id, ...digest({ projectName: alert.project_name, items, baseUrl: baseUrl(), unsubscribeUrl }) })
}
