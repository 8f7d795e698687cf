import type { Generated } from 'kysely'
import type { OptionalTime, Time } from './columns.js'

/** Briefs, each a set of feed items that one consumer of an account was given. */
export interface BriefTable {
  id: Generated<string>
  account_id: string
  consumer: string
  created_at: Time
  /** Null until the consumer acknowledges the brief. */
  acknowledged_at: OptionalTime
}

/** The papers of a brief, each with the project whose feed it came from. */
export interface BriefItemTable {
  brief_id: string
  project_id: string
  paper_id: string
  /** Identifies the account and consumer that acknowledged it; null until then. */
  reader: Generated<string | null>
}
