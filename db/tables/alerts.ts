import type { Generated } from 'kysely'
import type { Alert } from '../../schemas/alert.js'
import type { OptionalTime, Time } from './columns.js'

/** Somebody who is told what came in: an address of mail, or a program. */
export interface AlertTable {
  id: Generated<string>
  project_id: string
  kind: Alert['kind']
  target: string
  frequency: Alert['frequency']
  must_read: Generated<boolean>
  created_at: Time
  next_send_at: Time
  last_sent_at: OptionalTime
  last_error: string | null
}

/** What was sent, so that nothing is sent twice. */
export interface AlertItemTable {
  alert_id: string
  paper_id: string
  /** Items that go out together, and are sent again together where it is not known whether they went. */
  batch: string
  sent_at: OptionalTime
}
