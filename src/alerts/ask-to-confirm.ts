import { randomUUID } from 'node:crypto'
import { findAlertToSend, forgetConfirmationMail, recordConfirmationMail, updateAlert } from '../../db/queries/alerts.js'
import type { Caller } from '../../db/caller.js'
import { requireRecord } from '../errors/deleted-records.js'
import type { Log } from '../observability/log.js'
import { confirmationMail } from './confirmation-mail.js'
import type { ConfirmationThrottle } from './confirmation-throttle.js'
import { type Mailer, MailRejected } from './mail.js'
import { type UnsubscribeTokens, unsubscribeUrlOf } from './unsubscribe-tokens.js'
import { dayMs } from '../../schemas/durations.js'
import type { Settings } from '../settings/settings.js'

interface Registration { accounts: { registration: Settings['registration'] } }

/** Whether an account may have been registered with somebody else's address: where anyone may register, until its address is confirmed. */
export const isUnconfirmed = (
  { accounts: { registration } }: Registration,
  { email_confirmed_at }: { email_confirmed_at: Date | null }
): boolean => registration === 'open' && email_confirmed_at === null

interface ConfirmationContext extends Caller, Registration {
  baseUrl: () => string
  log: Log
  now: () => Date
  alerts: { mailer: Mailer | undefined, unsubscribeTokens: UnsubscribeTokens, confirmationThrottle: ConfirmationThrottle }
}

/**
 * Asks the recipient of a new alert, who unsubscribed before or whose address somebody registered, to confirm it: once a day at most,
 * whatever the number of alerts. If no mail is sent, `last_error` of the alert says why. Only a mail that was sent counts.
 */
export async function askToConfirm (context: ConfirmationContext, alertId: string): Promise<void> {
  const { db, account, baseUrl, log, now, alerts: { mailer, confirmationThrottle } } = context
  const alert = requireRecord(await findAlertToSend(db, alertId))
  const { target, project_name: projectName, account_email: accountEmail } = alert
  const isNew = isUnconfirmed(context, alert)
  const fail = async (last_error: string) => { await updateAlert(db, account.id, alertId, { last_error }) }
  const time = now()
  const isAsked = await recordConfirmationMail(db, account.id, target, { now: time, askedBefore: new Date(time.getTime() - dayMs) })
  const isAdmitted = isAsked && (!isNew || await confirmationThrottle.admit(target))
  if (!isAdmitted) {
    if (isAsked) await forgetConfirmationMail(db, account.id, target)
    await fail(isNew
      ? 'Not sent yet: confirm this address with the link that was mailed to it. For another link, delete this alert and add it again ' +
        'after 24 hours.'
      : 'Not sent: the recipient unsubscribed, and Litfeed asks at most once a day for confirmation. Delete this alert and add it again ' +
        'when the recipient has confirmed, or after 24 hours.')
    return
  }
  const url = unsubscribeUrlOf(context, alertId)
  const mail = confirmationMail({ accountEmail, projectName, url, baseUrl: baseUrl(), isUnconfirmed: isNew })
  try {
    await mailer!.send({ to: target, id: randomUUID(), ...mail })
  } catch (cause) {
    if (!(cause instanceof MailRejected)) throw cause
    log.warn({ err: cause }, 'The email that asks the recipient to confirm an alert was not sent.')
    await forgetConfirmationMail(db, account.id, target)
    if (isNew) await confirmationThrottle.forget(target)
    await fail(cause.message)
  }
}
