import { Type } from 'typebox'
import { findAlertToSend, markSent, takeBatch, updateAlert } from '../../../db/queries/alerts.js'
import { AlertInput } from '../../../schemas/alert.js'
import type { FeedItem } from '../../../schemas/feed.js'
import { digest } from '../../alerts/digest.js'
import { nextSendAtAfterFailure, nextSendAt } from '../../alerts/schedule.js'
import { postWebhook } from '../../alerts/webhook.js'
import { PermanentFailure } from '../../jobs/failures.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { feedItemOf } from '../../papers/records.js'

/** Items of one mail, whose text shows the best; of one webhook's call. */
const batchSize = { email: 1000, webhook: 100 } as const

export interface SendContext extends ServiceContext { signal?: AbortSignal }

/**
 * Sends what is new to an alert's target, each item once. A try that breaks off is repeated under the same id, by which a receiver knows
 * it. @throws where the target did not take it; PermanentFailure where a later try cannot help
 */
export const alertSend = operation({
  name: 'alert_send',
  title: 'Send an alert',
  description: 'Sends what entered a feed since the last time.',
  input: AlertInput,
  output: Type.Object({ sent: Type.Integer() }),
  async handler (context: SendContext, { alert_id }) {
    const { db, now } = context
    const alert = await findAlertToSend(db, alert_id)
    if (alert === undefined) throw new PermanentFailure('The alert was deleted.')
    let sent = 0
    try {
      for (let batch = await takeBatch(db, alert.account_id, alert, batchSize[alert.kind]); batch !== undefined; batch = await takeBatch(db, alert.account_id, alert, batchSize[alert.kind])) {
        await deliver(context, alert, batch.batch, batch.items.map(feedItemOf))
        await markSent(db, alert.account_id, alert_id, batch.batch, now())
        sent += batch.items.length
      }
    } catch (error) {
      // The job tries again some times; after that, the alert's own next time comes.
      await updateAlert(db, alert.account_id, alert_id, { last_error: (error as Error).message, next_send_at: nextSendAtAfterFailure(alert.frequency, now()) })
      throw error
    }
    await updateAlert(db, alert.account_id, alert_id, { next_send_at: nextSendAt(alert.frequency, now()), last_error: null, ...(sent > 0 ? { last_sent_at: now() } : {}) })
    return { sent }
  }
})

type Sending = NonNullable<Awaited<ReturnType<typeof findAlertToSend>>>

async function deliver ({ alerts: { mailer, webhooks, webhookSecret }, baseUrl, now, signal }: SendContext, alert: Sending, id: string, items: FeedItem[]): Promise<void> {
  if (alert.kind === 'webhook') {
    const body = JSON.stringify({ type: 'feed.items', timestamp: now().toISOString(), data: { project_id: alert.project_id, project_name: alert.project_name, items } })
    return await postWebhook(webhooks, { url: alert.target, secret: webhookSecret(alert.id), id, body, now: now(), signal })
  }
  if (mailer === undefined) throw new PermanentFailure('This service sends no mail: its operator has not set SMTP_URL.')
  await mailer.send({ to: alert.target, id, ...digest({ projectName: alert.project_name, items, baseUrl: baseUrl() }) })
}
