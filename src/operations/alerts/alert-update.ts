import { type AlertDetails, findAlert, updateAlert } from '../../../db/queries/alerts.js'
import { Alert, AlertUpdateInput } from '../../../schemas/alert.js'
import { dayMs } from '../../../schemas/durations.js'
import { alertOf } from '../../alerts/records.js'
import { nextSendAtAfterChange, previousSendAt, requireDigest } from '../../alerts/schedule.js'
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
    const since = alert.must_read && !changed.must_read ? { items_since: findStart(alert, now()) } : {}
    const next_send_at = nextSendAtAfterChange(alert, changed, now())
    await updateAlert(db, account.id, alert_id, { ...change, ...since, claimed_through: null, next_send_at })
    return alertOf(requireRecord(await findAlert(db, account.id, alert_id)))
  }
})

/**
 * How far back a delivery is supposed to have succeeded after an earlier change: deliveries without items leave no other trace of their
 * success.
 */
const maxUnknownMs = 14 * dayMs

/** Returns since when items enter the next delivery of an alert: since it was last due before its last success. */
function findStart (alert: AlertDetails, now: Date): Date {
  const { created_at, items_since, claimed_through, last_sent_at, last_error } = alert
  const lastKnown = last_error === null ? now : last_sent_at ?? created_at
  const succeededAt = claimed_through ?? new Date(Math.max(lastKnown.getTime(), now.getTime() - maxUnknownMs))
  const start = previousSendAt(alert, succeededAt < now ? succeededAt : now)
  return items_since !== null && items_since > start ? items_since : start
}
