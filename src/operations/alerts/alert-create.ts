import { createAlert, findAlert } from '../../../db/queries/alerts.js'
import { findAccount } from '../../../db/queries/accounts.js'
import { AlertCreated, AlertCreateInput } from '../../../schemas/alert.js'
import { NoMailForAlerts } from '../../alerts/mail.js'
import { nextSendAt, requireDigest } from '../../alerts/schedule.js'
import { AlertExists, InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { alertOf } from '../../alerts/records.js'
import { askToConfirm, isUnconfirmed } from '../../alerts/ask-to-confirm.js'
import { requireRecord } from '../../errors/deleted-records.js'

const maxAlertsPerProject = 20
const maxAlertsPerAccount = 200
/** One address as RFC 5322 writes it without quotes: the other characters make lists, groups and comments. */
const emailPattern = /^[^\s@,:;<>()[\]\\"\p{Cc}]+@[^\s@,:;<>()[\]\\"\p{Cc}]+$/u

/** @throws ProjectNotFound, InvalidArguments, AlertExists */
export const alertCreate = operation({
  name: 'alert_create',
  title: 'Create an alert',
  description: 'Sends a project\'s new papers by email digest or by webhook, signed per Standard Webhooks. Each paper is sent once.',
  input: AlertCreateInput,
  output: AlertCreated,
  async handler (context, { project_id, kind, target, frequency = 'daily', must_read = false, weekday = 'monday', hour = 6 }) {
    const { db, account, now, alerts: { webhookSecret } } = context
    await requireProject({ db, account }, project_id)
    if (kind === 'email') await checkEmail(context, target)
    else checkWebhook(context, target)
    requireDigest(kind, frequency)
    const { time_zone, email_confirmed_at } = requireRecord(await findAccount(db, account.id))
    const awaitsConfirmation = kind === 'email' && isUnconfirmed(context, { email_confirmed_at })
    const schedule = { frequency, weekday, hour }
    const created = await createAlert(
      db,
      account.id,
      { project_id, kind, target, must_read, ...schedule, created_at: now(), next_send_at: nextSendAt({ ...schedule, time_zone }, now()) },
      { perProject: maxAlertsPerProject, perAccount: maxAlertsPerAccount, awaitsConfirmation }
    )
    if (created === undefined) throw new ProjectNotFound(project_id)
    if (created === 'exists') throw new AlertExists(target)
    if (created === 'full') throw new InvalidArguments(`The project has ${maxAlertsPerProject} alerts, the maximum. Delete one first.`)
    if (created === 'too many') {
      throw new InvalidArguments(`The account has ${maxAlertsPerAccount} alerts, the maximum. Delete one first.`)
    }
    if (created.unsubscribed_at !== null) await askToConfirm(context, created.id)
    const alert = alertOf(requireRecord(await findAlert(db, account.id, created.id)))
    return kind === 'webhook' ? { ...alert, secret: webhookSecret(alert.id) } : alert
  }
})

/** If anyone may register, an account may send mail only to its own address. */
async function checkEmail ({ db, account, alerts: { mailer }, accounts: { registration } }: Context, target: string): Promise<void> {
  if (mailer === undefined) throw new NoMailForAlerts()
  if (!emailPattern.test(target)) {
    throw new InvalidArguments(
      `target is "${target.slice(0, 80)}", which is not an email address. Send one such as name@example.org.`,
      { userMessage: 'Enter an email address such as name@example.org.' }
    )
  }
  const { email } = requireRecord(await findAccount(db, account.id))
  if (registration === 'open' && target.toLowerCase() !== email) {
    throw new InvalidArguments(
      `target must be your own address, ${email}, because anyone may register on this service.`,
      { userMessage: `On this service, email alerts go to your own address only: ${email}.` }
    )
  }
}

function checkWebhook ({ allowsAddress }: Context, target: string): void {
  if (!URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol)) {
    throw new InvalidArguments(
      `target is "${target.slice(0, 80)}", which is not a URL beginning with http:// or https://. Send one such as ` +
        'https://example.org/webhook.',
      { userMessage: 'Enter a URL that begins with https:// or http://.' }
    )
  }
  const { username, password } = new URL(target)
  if (username !== '' || password !== '') {
    throw new InvalidArguments(
      'target contains a user name or password, which Litfeed does not send. Remove it, and verify the signature of the calls instead.',
      { userMessage: 'Enter the address without a user name or password. Litfeed signs its calls instead.' }
    )
  }
  if (!allowsAddress(target)) {
    throw new InvalidArguments(
      `target is "${target.slice(0, 80)}": ${new URL(target).hostname.slice(0, 80)} is not on the public Internet. ` +
        'Send another address, or ask the operator to add its origin to PRIVATE_ORIGINS.',
      { userMessage: 'Enter an address on the public Internet.' }
    )
  }
}
