import { deleteAlert } from '../../../db/queries/alerts.js'
import { NoResult } from '../../../schemas/empty.js'
import { AlertInput } from '../../../schemas/alert.js'
import { AlertNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws AlertNotFound */
export const alertDelete = operation({
  name: 'alert_delete',
  title: 'Delete an alert',
  description: 'Deletes an alert. Litfeed sends nothing more to its target.',
  input: AlertInput,
  output: NoResult,
  async handler ({ db, account }, { alert_id }) {
    if (!await deleteAlert(db, account.id, alert_id)) throw new AlertNotFound(alert_id)
    return {}
  }
})
