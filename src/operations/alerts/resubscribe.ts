import { findAlertToSend } from '../../../db/queries/alerts.js'
import { confirmByDeletedAlert, resubscribeAlert } from '../../../db/queries/unsubscriptions.js'
import { UnsubscribeInput, Unsubscription } from '../../../schemas/alert.js'
import { confirmationAt, nextSendAt, previousSendAt } from '../../alerts/schedule.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { alertOfToken, findUnsubscription } from './unsubscription-get.js'

/** For the recipient of a digest, who need not have an account. A second call changes nothing. @throws NotFound for an invalid token */
export const resubscribe = operation({
  name: 'resubscribe',
  title: 'Subscribe again',
  description: 'Resumes the emails of an alert whose recipient unsubscribed.',
  input: UnsubscribeInput,
  output: Unsubscription,
  async handler (context: ServiceContext, { token }) {
    const { db, now } = context
    const alertId = alertOfToken(context, token)
    const alert = await findAlertToSend(db, alertId)
    if (alert === undefined) await confirmByDeletedAlert(db, alertId, confirmationAt(now()))
    if (alert?.unsubscribed_at != null) {
      const [next_send_at, items_since] = [nextSendAt(alert, now()), previousSendAt(alert, now())]
      await resubscribeAlert(db, alert.account_id, alert, { next_send_at, items_since }, confirmationAt(now()))
    }
    return await findUnsubscription(context, alertId)
  }
})
