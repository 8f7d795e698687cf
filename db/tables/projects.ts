import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { FollowTarget } from '../../schemas/follow.js'
import type { Project, ProjectSource } from '../../schemas/project.js'
import type { LearningChanges } from '../../schemas/learning.js'
import type { SnapshotSchedule } from '../../schemas/snapshot.js'
import type { OptionalTime, Time } from './columns.js'

/** Projects. */
export interface ProjectTable {
  id: Generated<string>
  /** Null while the project is being deleted, when no query finds it. */
  account_id: ColumnType<string, string, string | null>
  /** The former account of a project that is being deleted. */
  deleted_account_id: ColumnType<string | null, string | null | undefined, string | null>
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
  /** Minimum score of a must_read item. */
  must_read_threshold: Generated<number>
  /** Minimum score at which a fetched paper enters the feed. */
  feed_threshold: Generated<number>
  /** Fetched papers that enter the feed in a week, at most; 0: no limit. */
  weekly_limit: Generated<number>
  /** Under a weekly limit, versions before this time did not record when papers entered the feed; null: all times are known. */
  recall_since: OptionalTime
  /** When papers without a vote last left the feed; null: none has. */
  items_left_at: OptionalTime
  /** When to rescore the feed; null: its scores are up to date. */
  scoring_due_at: OptionalTime
  /** Until when further votes delay that; null: no vote was given since a rescoring began. */
  scoring_latest_at: OptionalTime
  scored_at: OptionalTime
  /** When a setting that affects scores last changed. */
  settings_changed_at: OptionalTime
  /** When the feed was last rescored, and how that changed it; null before. */
  learned_at: OptionalTime
  /** Notices that were found until then are not announced in the feed any more. */
  notices_seen_at: OptionalTime
  learned: JSONColumnType<LearningChanges, string | null | undefined, string | null> | null
  /** Whether its papers are invented, to try the service with. */
  is_sample: Generated<boolean>
  /** How often a snapshot is scheduled; null: never. */
  snapshot_schedule: Generated<SnapshotSchedule | null>
  next_snapshot_at: OptionalTime
}

/** The fetch state of one source of one project. */
export interface SourceStateTable {
  project_id: string
  name: string
  query: string
  next_fetch_at: Time
  /** Last day that a complete fetch covered, YYYY-MM-DD. */
  fetched_through: string | null
  /** Window and cursor of an unfinished fetch, which the next one continues. */
  window_from: string | null
  window_to: string | null
  cursor: string | null
  last_attempt_at: OptionalTime
  /** When a fetch last succeeded. */
  last_fetched_at: OptionalTime
  /** Why the last fetch failed, or what the source withheld; null otherwise. */
  last_error: string | null
  /** Kind of the last failure, a SourceFault; null if the last fetch succeeded. */
  last_fault: string | null
  /** Consecutive failures. */
  failures: Generated<number>
  /** Of the last fetch: records found, and papers that were new in the feed. */
  papers_found: Generated<number>
  papers_entered: Generated<number>
}

/** Sources that administrators disabled for all accounts. */
export interface DisabledSourceTable {
  name: string
  disabled_at: Time
}

/** Slots of outside services, which all processes share. `next_at`: when the slot is free. */
export interface SourceSlotTable {
  name: string
  next_at: Date
  holder: string | null
  /** When it was acquired or released; null in rows of older versions. */
  set_at: Date | null
}

/** Candidates: fetched papers below a project's threshold. */
export interface CandidateTable {
  project_id: string
  paper_id: string
  relevance_score: number
  found_at: Time
  /** When the paper was seen while it was in the feed. */
  seen_at: OptionalTime
  /** The id of its item, if it was in the feed. It has the id again when it returns. */
  item_id: string | null
  /** When it left the feed, if it was in it. */
  left_at: OptionalTime
}

/** The interest that a project had until a time, if votes were given under it. */
export interface FormerInterestTable {
  project_id: string
  until: Time
  interest_description: string
  positive_keywords: string[]
}

/** People, journals and institutions that projects follow. */
export interface ProjectFollowTable {
  id: Generated<string>
  project_id: string
  kind: FollowTarget['kind']
  name: string
  /** ORCID iDs, OpenAlex ids, ISSNs or ROR ids, by kind. Empty: it is followed by name. */
  ids: string[]
  created_at: Time
}

/** Models learned from feedback, in the form of src/relevance/model.ts. */
export interface RelevanceModelTable {
  project_id: string
  model: JSONColumnType<object, string, string>
  trained_at: Time
}
