import { randomUUID } from 'node:crypto'
import { findAlertToSend } from '../../../db/queries/alerts.js'
import { listFeed } from '../../../db/queries/feed.js'
import { AlertInput, AlertTestResult, awaitsConfirmation } from '../../../schemas/alert.js'
import { messageOf } from '../../../schemas/thrown.js'
import { digest } from '../../alerts/digest.js'
import { MailRejected, noMailForAlerts } from '../../alerts/mail.js'
import { AlertNotFound } from '../../errors/operation-errors.js'
import { HttpError } from '../../http/client.js'
import { JobFailure } from '../../jobs/failures.js'
import { setUpBy } from '../../alerts/records.js'
import { unmarkedItemOf } from '../../papers/records.js'
import { HostPaused } from '../../sources/requests/rate-limiter.js'
import { operation } from '../operation.js'
import { postItems } from './alert-send.js'
import { unsubscribeUrlOf } from '../../alerts/unsubscribe-tokens.js'

const maxItems = 3
/** Errors that say why a target did not accept a test. Their messages quote nothing from outside. */
const refusals = [MailRejected, JobFailure, HttpError, HostPaused]

/** @throws AlertNotFound, RateLimited */
export const alertTest = operation({
  name: 'alert_test',
  title: 'Send a test',
  description: 'Sends the alert\'s target the latest papers of the feed, marked as a test: a digest by email, or a signed call of the ' +
    'type "feed.test" to a webhook. Returns whether the mail server or the webhook accepted it. It does not count as a delivery: papers ' +
    'that are new are still sent.',
  input: AlertInput,
  output: AlertTestResult,
  async handler (context, { alert_id }) {
    const { db, account, baseUrl, log, alerts: { mailer, testThrottle } } = context
    const alert = await findAlertToSend(db, alert_id)
    if (alert === undefined || alert.account_id !== account.id) throw new AlertNotFound(alert_id)
    const { target, project_id: projectId, project_name: projectName, unsubscribed_at } = alert
    const failed = (error: string) => ({ delivered: false, target, error })
    const isWebhook = alert.kind === 'webhook'
    if (!isWebhook && mailer === undefined) return failed(noMailForAlerts)
    if (awaitsConfirmation(alert)) {
      return failed(alert.last_error ?? 'The alert waits for the recipient to confirm it with the link that was mailed to this address.')
    }
    if (unsubscribed_at !== null) return failed('The recipient has unsubscribed from this alert.')
    await testThrottle(account.id)
    const rows = await listFeed(db, account.id, { projectId }, { limit: maxItems, offset: 0, order: 'newest' })
    const [id, items] = [randomUUID(), rows.map(unmarkedItemOf)]
    try {
      if (isWebhook) await postItems(context, alert, { type: 'feed.test', id, items })
      else {
        const unsubscribeUrl = unsubscribeUrlOf(context, alert_id)
        const project = { projectName, projectId }
        const mail = digest({ ...project, items, baseUrl: baseUrl(), unsubscribeUrl, setUpBy: setUpBy(alert), isTest: true })
        await mailer!.send({ to: target, id, ...mail })
      }
      return { delivered: true, target, error: null }
    } catch (cause) {
      if (!refusals.some(refusal => cause instanceof refusal)) throw cause
      log.warn({ err: cause }, 'A test of an alert was not accepted.')
      return failed(messageOf(cause))
    }
  }
})
