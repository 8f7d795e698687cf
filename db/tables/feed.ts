import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { FeedItem } from '../../schemas/feed.js'
import type { Contributions, MatchingDetails } from '../../schemas/relevance.js'
import type { Feedback } from '../../schemas/feedback.js'
import type { Computed, OptionalTime, Time } from './columns.js'

/** Feed items: one paper in one project. */
export interface ProjectPaperTable {
  id: Generated<string>
  short_id: Computed<string>
  project_id: string
  paper_id: string
  summary: string | null
  summary_origin: Generated<'abstract' | 'model'>
  relevance_score: number
  relevance_class: FeedItem['relevance_class']
  /** How it entered the feed. Imported items stay whatever their score. */
  origin: Generated<'import' | 'fetch'>
  /** Without contributions on items that an earlier version scored. */
  matching_details: JSONColumnType<Omit<MatchingDetails, 'contributions'> & { contributions?: Contributions }, string | undefined, string>
  personalized_note: string | null
  ready_at: Time
  /** When it was added, if that was after the week of `ready_at`. */
  entered_at: OptionalTime
  vote: Feedback['vote'] | null
  downvote_reason: Feedback['downvote_reason']
  voted_at: OptionalTime
  /** When it first got a vote, if that was another one than the present. */
  rated_at: OptionalTime
  /** Its score relative to the mean of the unrated items when it first got a vote, 1 at most; null for votes before 2027-01-31. */
  rated_weight: number | null
  seen_at: OptionalTime
  /** To read later. */
  saved: Generated<boolean>
  tags: Generated<string[]>
  /** The key of each tag: equal for tags that differ in case alone. */
  tag_keys: Generated<string[]>
  note: string | null
  /** When its owner first took a reference to the paper. */
  cited_at: OptionalTime
  /** Links to what its owner follows and likes: linkBits of schemas/relevance.ts, as of its last scoring. */
  links: Generated<number>
  /** The import of a library that added it. */
  import_id: Generated<string | null>
  /** Whether an import of a file, a list or Zotero added it, so that its owner had it already: alerts leave it out. */
  own_library: Generated<boolean>
  /** The import that gave the vote, kept or not; null for a vote of the owner, or of an import before 2027-01-13. */
  vote_import_id: Generated<string | null>
  /** A copy of the paper's, which triggers keep; they also set it in items that are added without it. */
  published_date: ColumnType<string | null, string | null | undefined, never>
}

/** Changes of the number of a feed's items with a value, written by triggers. db/queries/tally.ts sums them up. */
export interface FeedTallyTable {
  project_id: string
  /**
   * week: the Monday (UTC) of the week of `ready_at`; score: in twentieths, 0 to 19; class: the relevance class; vote: "none", or the vote
   * and its reason. text: bytes, those of tags and notes, instead of a number of items.
   */
  measure: 'week' | 'score' | 'class' | 'vote' | 'text'
  value: string
  change: number
}
