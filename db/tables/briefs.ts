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

/** Where a consumer's next brief begins in a feed, best first. The consumer has acknowledged every item before it. */
export interface BriefPositionTable {
  /** Same value as brief_item.reader. */
  reader: string
  project_id: string
  relevance_score: number
  ready_at: Time
  /**
   * Items of the feed that the reader has acknowledged; null: not counted since items left or returned. Negative while they are counted:
   * -1 less what is counted.
   */
  acknowledged: number | null
  /** While they are counted: the last paper that is. */
  counted_through: string | null
}

/** How far up a change of a feed reaches in its order, written by triggers; "infinity" if it may change what is acknowledged. */
export interface FeedChangeTable {
  project_id: string
  relevance_score: number
  ready_at: Time
}
