import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Project, ProjectSource } from '../../schemas/project.js'
import type { OptionalTime, Time } from './columns.js'

export interface ProjectTable {
  id: Generated<string>
  account_id: string
  name: string
  interest_description: Generated<string>
  positive_keywords: ColumnType<string[], string[] | undefined, string[]>
  negative_keywords: ColumnType<string[], string[] | undefined, string[]>
  sources: JSONColumnType<ProjectSource[], string | undefined, string>
  mode: Generated<Project['mode']>
  visibility: Generated<Project['visibility']>
  matching_state: Generated<Project['matching_state']>
  created_at: Time
  updated_at: Time
  last_fetched_at: OptionalTime
  /** Score from which an item is must_read. */
  must_read_threshold: Generated<number>
  /** Score from which a fetched paper enters the feed. */
  feed_threshold: Generated<number>
  /** When the feed is to be scored anew; null: it is scored as its settings and votes have it. */
  scoring_due_at: OptionalTime
  scored_at: OptionalTime
  /** When a setting that scores are made of changed last. */
  settings_changed_at: OptionalTime
}

/** Where one source of one project stands. */
export interface SourceStateTable {
  project_id: string
  name: string
  query: string
  next_fetch_at: Time
  /** Last day that has been looked at, YYYY-MM-DD. */
  fetched_through: string | null
  /** The walk that is under way, or was when it failed: its window, and where to go on. */
  window_from: string | null
  window_to: string | null
  cursor: string | null
  last_attempt_at: OptionalTime
  /** When it could last be looked at. */
  last_fetched_at: OptionalTime
  /** Why it could not be, the last time; null when it could. */
  last_error: string | null
  /** Failures in a row. */
  failures: Generated<number>
  /** Of the last walk: records seen, and papers that were new in the feed. */
  papers_found: Generated<number>
  papers_entered: Generated<number>
}

/** Whose turn it is at an outside service, over all processes. */
export interface SourceTurnTable {
  name: string
  next_at: Date
  holder: string | null
}

/** A fetched paper that the project's feed does not show. */
export interface CandidateTable {
  project_id: string
  paper_id: string
  relevance_score: number
  found_at: Time
}

/** What feedback has taught, as src/relevance reads it. */
export interface RelevanceModelTable {
  project_id: string
  model: JSONColumnType<object, string, string>
  trained_at: Time
}
