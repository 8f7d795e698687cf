import type { AlertDetails } from '../../db/queries/alerts.js'
import { addressOf } from '../../db/queries/unsubscriptions.js'
import type { Alert } from '../../schemas/alert.js'

/** The account that set up an alert, for a recipient with another address; undefined for its own. */
export const setUpBy = ({ target, account_email }: { target: string, account_email: string }): string | undefined =>
  addressOf(target) === account_email ? undefined : account_email

/** Converts a stored alert to the published record, without a webhook's signing secret. */
export function alertOf (
  {
    created_at, items_since: _since, claimed_through: _claimed, next_send_at, last_sent_at, unsubscribed_at, time_zone: _zone, ...alert
  }: AlertDetails
): Alert {
  return {
    ...alert,
    created_at: created_at.toISOString(),
    next_send_at: next_send_at.toISOString(),
    last_sent_at: last_sent_at?.toISOString() ?? null,
    unsubscribed_at: unsubscribed_at?.toISOString() ?? null
  }
}
