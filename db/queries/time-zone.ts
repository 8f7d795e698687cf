import type { Db } from '../connection.js'
import { setTimeZone } from './accounts.js'
import { type AlertDetails, selectOwnAlerts, updateAlert } from './alerts.js'
import { retryConflicts } from './retry.js'

/**
 * Changes the time zone of an account, and when its digests are due, in one transaction.
 * @param nextSendAt the next time of a digest, from how it was and how it is now
 * @returns the account. @throws RowNotFound
 */
export const changeTimeZone = (
  db: Db,
  accountId: string,
  timeZone: string,
  nextSendAt: (former: AlertDetails, changed: AlertDetails) => Date
) =>
  retryConflicts(() => db.transaction().execute(async transaction => {
    const { time_zone: formerZone } = await transaction.selectFrom('account').select('time_zone').where('id', '=', accountId)
      .forNoKeyUpdate().executeTakeFirstOrThrow()
    const changed = await setTimeZone(transaction, accountId, timeZone)
    const digests = await selectOwnAlerts(transaction, accountId).where('frequency', '!=', 'immediate').orderBy('alert.id').execute()
    for (const digest of digests) {
      const next_send_at = nextSendAt({ ...digest, time_zone: formerZone }, digest)
      await updateAlert(transaction, accountId, digest.id, { next_send_at })
    }
    return changed
  }))
