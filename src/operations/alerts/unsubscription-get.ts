import { findAlertToSend } from '../../../db/queries/alerts.js'
import { findDeletedAlert } from '../../../db/queries/unsubscriptions.js'
import { UnsubscribeInput, Unsubscription } from '../../../schemas/alert.js'
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
export async function findUnsubscription ({ db }: ServiceContext, alertId: string) {
  const alert = await findAlertToSend(db, alertId)
  if (alert !== undefined) return { target: alert.target, project_name: alert.project_name, unsubscribed: alert.unsubscribed_at !== null }
  const deleted = await findDeletedAlert(db, alertId)
  return { target: deleted?.address ?? null, project_name: null, unsubscribed: deleted?.unsubscribed ?? true }
}
