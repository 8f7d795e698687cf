import type { Generated, JSONColumnType } from 'kysely'
import type { FeedItem } from '../../schemas/feed.js'
import type { MatchingDetails } from '../../schemas/relevance.js'
import type { Feedback } from '../../schemas/feedback.js'
import type { Computed, OptionalTime, Time } from './columns.js'

export interface ProjectPaperTable {
  id: Generated<string>
  short_id: Computed<string>
  project_id: string
  paper_id: string
  summary: string | null
  summary_origin: Generated<'abstract' | 'model'>
  relevance_score: number
  relevance_class: FeedItem['relevance_class']
  /** How it came in; what a person imported stays, whatever its score. */
  origin: Generated<'import' | 'fetch'>
  matching_details: JSONColumnType<MatchingDetails, string | undefined, string>
  personalized_note: string | null
  ready_at: Time
  vote: Feedback['vote'] | null
  downvote_reason: Feedback['downvote_reason']
  voted_at: OptionalTime
}

/** A change of how many items of a feed have a value. Triggers write it; what they come to is db/queries/tally.ts's. */
export interface FeedTallyTable {
  project_id: string
  /** week: the Monday of the week in which it came in, UTC; score: a twentieth of the scale, 0 to 19; class; vote: "none", or the vote and its reason. */
  measure: 'week' | 'score' | 'class' | 'vote'
  value: string
  change: number
}
