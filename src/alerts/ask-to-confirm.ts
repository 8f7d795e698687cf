import { randomUUID } from 'node:crypto'
import { findAlertToSend, forgetConfirmationMail, recordConfirmationMail, updateAlert } from '../../db/queries/alerts.js'
import type { Caller } from '../../db/caller.js'
import { requireRecord } from '../errors/deleted-records.js'
import type { Log } from '../observability/log.js'
import { confirmationMail } from './confirmation-mail.js'
import { type Mailer, MailRejected } from './mail.js'
import { type UnsubscribeTokens, unsubscribeUrlOf } from './unsubscribe-tokens.js'
import { dayMs } from '../../schemas/durations.js'

interface ConfirmationContext extends Caller {
  baseUrl: () => string
  log: Log
  now: () => Date
  alerts: { mailer: Mailer | undefined, unsubscribeTokens: UnsubscribeTokens }
}

/**
 * Asks the recipient of a new alert, who unsubscribed before, to confirm it: once a day at most, whatever the number of alerts. If no mail
 * is sent, `last_error` of the alert says why. A mail that the server rejected does not count.
 */
export async function askToConfirm (context: ConfirmationContext, alertId: string): Promise<void> {
  const { db, account, baseUrl, log, now, alerts: { mailer } } = context
  const { target, project_name: projectName, account_email: accountEmail } = requireRecord(await findAlertToSend(db, alertId))
  const fail = async (last_error: string) => { await updateAlert(db, account.id, alertId, { last_error }) }
  const time = now()
  if (!await recordConfirmationMail(db, account.id, target, { now: time, askedBefore: new Date(time.getTime() - dayMs) })) {
    await fail('Not sent: the recipient unsubscribed, and Litfeed asks at most once a day for confirmation. Delete this alert and add it ' +
      'again when the recipient has confirmed, or after 24 hours.')
    return
  }
  const mail = confirmationMail({ accountEmail, projectName, url: unsubscribeUrlOf(context, alertId), baseUrl: baseUrl() })
  try {
    await mailer!.send({ to: target, id: randomUUID(), ...mail })
  } catch (cause) {
    if (!(cause instanceof MailRejected)) throw cause
    log.warn({ err: cause }, 'The email that asks the recipient to confirm an alert was not sent.')
    await forgetConfirmationMail(db, account.id, target)
    await fail(cause.message)
  }
}
