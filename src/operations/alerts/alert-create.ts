import { createAlert, findAlert } from '../../../db/queries/alerts.js'
import { findAccount } from '../../../db/queries/accounts.js'
import { ownsProject } from '../../../db/queries/projects.js'
import { AlertCreated, AlertCreateInput } from '../../../schemas/alert.js'
import { nextSendAt } from '../../alerts/schedule.js'
import { AlertExists, InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { alertOf } from '../../alerts/records.js'
import { requireStillExists } from '../../errors/still-exists.js'

/** Alerts of one project. */
const most = 20
const mailForm = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/

/** @throws ProjectNotFound, InvalidArguments, AlertExists */
export const alertCreate = operation({
  name: 'alert_create',
  title: 'Create an alert',
  description: 'Sends a project\'s new papers by email digest or by webhook, signed per Standard Webhooks. Each paper is sent once.',
  input: AlertCreateInput,
  output: AlertCreated,
  async handler (context, { project_id, kind, target, frequency = 'daily', must_read = false }) {
    const { db, account, now, alerts: { webhookSecret } } = context
    if (!await ownsProject(db, account.id, project_id)) throw new ProjectNotFound(project_id)
    if (kind === 'email') await checkMail(context, target)
    else checkWebhook(target)
    if (kind === 'email' && frequency === 'immediate') throw new InvalidArguments('frequency "immediate" is for webhooks; mail goes out daily or weekly.', { userMessage: 'Email alerts are sent daily or weekly.' })
    const created = await createAlert(db, account.id, { project_id, kind, target, frequency, must_read, created_at: now(), next_send_at: nextSendAt(frequency, now()) }, most)
    if (created === undefined) throw new ProjectNotFound(project_id)
    if (created === 'exists') throw new AlertExists(target)
    if (created === 'full') throw new InvalidArguments(`The project has ${most} alerts, which is as many as it may have. Delete one first.`)
    const alert = alertOf(requireStillExists(await findAlert(db, account.id, created.id)))
    return kind === 'webhook' ? { ...alert, secret: webhookSecret(alert.id) } : alert
  }
})

/** Where strangers may register, nobody may have mail sent to others. */
async function checkMail ({ db, account, alerts: { mailer }, accounts: { registration } }: Context, target: string): Promise<void> {
  if (mailer === undefined) throw new InvalidArguments('This service sends no mail yet: its operator has to set SMTP_URL and MAIL_FROM. A webhook works without.', { userMessage: 'Email is not set up on this service. Use a webhook instead.' })
  if (!mailForm.test(target)) throw new InvalidArguments(`target is "${target.slice(0, 80)}", which is not a mail address.`, { userMessage: 'Enter an email address such as name@example.org.' })
  const { email } = (await findAccount(db, account.id))!
  if (registration === 'open' && target.toLowerCase() !== email) throw new InvalidArguments(`target must be your own address, ${email}: anybody may register here.`, { userMessage: `On this service, email alerts go to your own address only: ${email}.` })
}

function checkWebhook (target: string): void {
  if (!URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol)) throw new InvalidArguments(`target is "${target.slice(0, 80)}", which is not an address that begins with https://.`, { userMessage: 'Enter a web address that begins with https://.' })
}
