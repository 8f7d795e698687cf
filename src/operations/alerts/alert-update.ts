import { findAlert, updateAlert } from '../../../db/queries/alerts.js'
import { Alert, AlertUpdateInput } from '../../../schemas/alert.js'
import { alertOf } from '../../alerts/records.js'
import { nextSendAt, previousSendAt, requireDigest } from '../../alerts/schedule.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { AlertNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws AlertNotFound, InvalidArguments */
export const alertUpdate = operation({
  name: 'alert_update',
  title: 'Change an alert',
  description: 'Changes how often, when and with which items an alert is sent. The target cannot be changed: create another alert instead.',
  input: AlertUpdateInput,
  output: Alert,
  async handler ({ db, account, now }, { alert_id, ...change }) {
    const alert = await findAlert(db, account.id, alert_id)
    if (alert === undefined) throw new AlertNotFound(alert_id)
    const changed = { ...alert, ...change }
    requireDigest(changed.kind, changed.frequency)
    // Papers that the alert left out before are not new.
    const since = alert.must_read && !changed.must_read ? { items_since: previousSendAt(alert, now()) } : {}
    await updateAlert(db, account.id, alert_id, { ...change, ...since, claimed_through: null, next_send_at: nextSendAt(changed, now()) })
    return alertOf(requireRecord(await findAlert(db, account.id, alert_id)))
  }
})
