import { randomUUID } from 'node:crypto'
import { findAlertToSend } from '../../../db/queries/alerts.js'
import { listFeed } from '../../../db/queries/feed.js'
import { AlertInput, AlertTestResult, awaitsConfirmation } from '../../../schemas/alert.js'
import { digest } from '../../alerts/digest.js'
import { MailRejected, noMailForAlerts } from '../../alerts/mail.js'
import { AlertNotFound, InvalidArguments } from '../../errors/operation-errors.js'
import { unmarkedItemOf } from '../../papers/records.js'
import { operation } from '../operation.js'
import { unsubscribeUrlOf } from '../../alerts/unsubscribe-tokens.js'

const maxItems = 3

/** @throws AlertNotFound, InvalidArguments for a webhook, RateLimited */
export const alertTest = operation({
  name: 'alert_test',
  title: 'Send a test email',
  description: 'Mails the alert\'s target a digest with the latest papers of the feed, marked as a test, and returns whether the mail ' +
    'server accepted it. It does not count as a delivery: the papers are still sent by the next digest.',
  input: AlertInput,
  output: AlertTestResult,
  async handler (context, { alert_id }) {
    const { db, account, baseUrl, log, alerts: { mailer, testThrottle } } = context
    const alert = await findAlertToSend(db, alert_id)
    if (alert === undefined || alert.account_id !== account.id) throw new AlertNotFound(alert_id)
    if (alert.kind !== 'email') throw new InvalidArguments('The alert is a webhook. Only email alerts can be tested.')
    const { target, project_id: projectId, project_name: projectName, unsubscribed_at } = alert
    const failed = (error: string) => ({ delivered: false, target, error })
    if (mailer === undefined) return failed(noMailForAlerts)
    if (awaitsConfirmation(alert)) return failed('The alert waits for confirmation: open the link that was mailed to this address.')
    if (unsubscribed_at !== null) return failed('The recipient has unsubscribed from this alert.')
    await testThrottle(account.id)
    const rows = await listFeed(db, account.id, { projectId }, { limit: maxItems, offset: 0, order: 'newest' })
    const unsubscribeUrl = unsubscribeUrlOf(context, alert_id)
    const mail = digest({ projectName, projectId, items: rows.map(unmarkedItemOf), baseUrl: baseUrl(), unsubscribeUrl, isTest: true })
    try {
      await mailer.send({ to: target, id: randomUUID(), ...mail })
      return { delivered: true, target, error: null }
    } catch (cause) {
      if (!(cause instanceof MailRejected)) throw cause
      log.warn({ err: cause }, 'A test email was not sent.')
      return failed(cause.message)
    }
  }
})
