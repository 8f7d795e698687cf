import type { Generated } from 'kysely'
import type { Alert } from '../../schemas/alert.js'
import type { OptionalTime, Time } from './columns.js'

/** Alerts: where a project's new papers are sent. */
export interface AlertTable {
  id: Generated<string>
  /** Null if the alert is being deleted. */
  project_id: string | null
  /** The account that it belonged to, if it is being deleted. */
  deleted_account_id: Generated<string | null>
  kind: Alert['kind']
  target: string
  frequency: Alert['frequency']
  must_read: Generated<boolean>
  /** Day of weekly digests. */
  weekday: Generated<Alert['weekday']>
  /** Hour of digests in the account's time zone. */
  hour: Generated<number>
  created_at: Time
  /** Items that entered the feed before are not sent, if that is later than `created_at`; null: all since then are. */
  items_since: OptionalTime
  /** When the alert last had sent all that the feed had for it; null: never with its present settings. */
  claimed_through: OptionalTime
  next_send_at: Time
  last_sent_at: OptionalTime
  last_error: string | null
  /** When the recipient ended the emails. */
  unsubscribed_at: OptionalTime
}

/** Papers that an alert has sent or is sending, so that none is sent twice. */
export interface AlertItemTable {
  alert_id: string
  paper_id: string
  /** Items of one delivery. A batch whose delivery is uncertain is sent again as a whole. */
  batch: string
  sent_at: OptionalTime
}

/** Addresses whose owners unsubscribed from the emails of an account, until they subscribe again. */
export interface UnsubscriptionTable {
  account_id: string
  /** In lower case. */
  address: string
  unsubscribed_at: Time
  /** When the address was last asked to confirm a new alert. */
  asked_at: OptionalTime
}

/** Deleted email alerts, of which mails with links to unsubscribe remain. */
export interface DeletedAlertTable {
  /** The alert's. */
  id: string
  account_id: string
  /** Its project, which may be deleted too. */
  project_id: string
  /** In lower case. */
  address: string
  deleted_at: Time
  /** When its recipient ended it, before or after it was deleted; null after they subscribed again. */
  unsubscribed_at: Time | null
}
