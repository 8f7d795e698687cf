import { findAlertToSend } from '../../../db/queries/alerts.js'
import { findDeletedAlert } from '../../../db/queries/unsubscriptions.js'
import { awaitsConfirmation, UnsubscribeInput, Unsubscription } from '../../../schemas/alert.js'
import { isUnconfirmed } from '../../alerts/ask-to-confirm.js'
import { NotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** @throws NotFound for an invalid token */
export const unsubscriptionGet = operation({
  name: 'unsubscription_get',
  title: 'Get an unsubscription',
  description: 'Returns which emails the link in a digest stops. Changes nothing.',
  input: UnsubscribeInput,
  output: Unsubscription,
  handler: async (context: ServiceContext, { token }) => await findUnsubscription(context, alertOfToken(context, token))
})

/** @throws NotFound for an invalid token */
export function alertOfToken ({ alerts: { unsubscribeTokens } }: ServiceContext, token: string): string {
  const alertId = unsubscribeTokens.read(token)
  if (alertId === undefined) throw new NotFound('This link is incomplete. Copy the whole link from the email.')
  return alertId
}

/** The emails of an alert, as their recipient may see them. */
export async function findUnsubscription (context: ServiceContext, alertId: string) {
  const { db } = context
  const alert = await findAlertToSend(db, alertId)
  if (alert !== undefined) {
    const { target, project_name, unsubscribed_at } = alert
    const unconfirmed = awaitsConfirmation(alert) && isUnconfirmed(context, alert)
    return { target, project_name, unsubscribed: unsubscribed_at !== null, unconfirmed }
  }
  const deleted = await findDeletedAlert(db, alertId)
  const unconfirmed = deleted?.ofAccount !== undefined && deleted.unsubscribed && isUnconfirmed(context, deleted.ofAccount)
  return { target: deleted?.address ?? null, project_name: null, unsubscribed: deleted?.unsubscribed ?? true, unconfirmed }
}
