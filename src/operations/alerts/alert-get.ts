import { findAlert } from '../../../db/queries/alerts.js'
import { AlertCreated, AlertInput } from '../../../schemas/alert.js'
import { AlertNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { alertOf } from '../../alerts/records.js'

/** @throws AlertNotFound */
export const alertGet = operation({
  name: 'alert_get',
  title: 'Get an alert',
  description: 'Returns an alert. A webhook has the secret that signs its calls.',
  input: AlertInput,
  output: AlertCreated,
  async handler ({ db, account, alerts: { webhookSecret } }, { alert_id }) {
    const alert = await findAlert(db, account.id, alert_id)
    if (alert === undefined) throw new AlertNotFound(alert_id)
    return { ...alertOf(alert), ...(alert.kind === 'webhook' ? { secret: webhookSecret(alert.id) } : {}) }
  }
})
