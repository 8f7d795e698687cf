import { type Static, Type } from 'typebox'
import { Feedback, FeedbackFilter, downvoteReasons, votes } from './feedback.js'
import { ProjectId, ShortId, Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { page, paging } from './paging.js'
import { Paper } from './paper.js'
import { type MatchingDetails, relevanceClasses } from './relevance.js'

/** One paper in one project: score, explanation, feedback and the paper itself. */
export const FeedItem = Type.Object({
  id: Uuid,
  short_id: ShortId,
  slug: Type.String({ description: 'The title as part of an address.' }),
  project_id: Uuid,
  paper_title: Type.String({ description: 'The paper\'s title.' }),
  summary: Nullable(Type.String(), 'Summary of the paper in a few sentences.'),
  summary_origin: Words(['abstract', 'model'], { description: 'Where the summary is from: sentences of the abstract, or a language model that the operator configured.' }),
  relevance_score: Type.Number({ minimum: 0, maximum: 1, description: 'Match with the project\'s interest, 0 (none) to 1 (certain).' }),
  relevance_class: Words(relevanceClasses, { description: 'must_read from the project\'s threshold on, else related.' }),
  must_read: Type.Boolean({ description: 'Whether relevance_class is must_read.' }),
  matching_details: Type.Unsafe<MatchingDetails>(Type.Record(Type.String(), Type.Unknown(), { description: 'The reasons for the score, as data.' })),
  personalized_note: Nullable(Type.String(), 'Why the paper is in this feed, in a sentence.'),
  ready_at: Type.String({ format: 'date-time', description: 'When the item entered the feed.' }),
  feedback: Nullable(Feedback, 'Your vote, null while there is none.'),
  paper: Paper
}, { description: 'One paper in one project.' })
export type FeedItem = Static<typeof FeedItem>

const MustRead = Type.Boolean({ description: 'true: only items classed must_read; false: only the others. Left out: both.' })

/** Input of `feed_get`. */
export const FeedGetInput = Type.Object({
  project_id: ProjectId,
  must_read: Type.Optional(MustRead),
  since: Type.Optional(Type.String({ maxLength: 64, description: 'Only items that entered the feed at or after this time: an RFC 3339 date (2026-11-20, midnight UTC) or date-time (2026-11-20T08:00:00Z).' })),
  ...paging
}, { additionalProperties: false })

/** A page of a feed, newest first. */
export const FeedGetResult = Type.Object({
  items: Type.Array(FeedItem, { description: 'Newest ready_at first.' }),
  total: Type.Integer({ minimum: 0, description: 'Items that match, on all pages.' }),
  ...page
})

/** Bounds of a search query, in characters after trimming. */
export const queryLength = { minimum: 3, maximum: 200 } as const

/** Input of `feed_search`. */
export const FeedSearchInput = Type.Object({
  project_id: ProjectId,
  q: Type.String({ description: 'Words to look for, 3 to 200 characters after trimming. Each is a word prefix; case, accents and punctuation do not matter; there are no operators.' }),
  feedback_filter: Type.Optional(FeedbackFilter),
  must_read: Type.Optional(MustRead),
  ...paging
}, { additionalProperties: false })

/** A page of matches, best first. See the specification, section 2. */
export const FeedSearchResult = Type.Object({
  items: Type.Array(FeedItem, { description: 'Best match first.' }),
  ...page,
  query: Type.String({ description: 'The query as processed: its terms joined by a space, or by OR where some items on the page match only some of them.' })
})

/** The address of a project's Atom feed; it contains a token. */
export const FeedAtomUrlResult = Type.Object({
  project_id: Uuid,
  url: Type.String({ format: 'uri', description: 'Address of the Atom feed. It holds a token: anyone with the address can read the feed.' })
})

/** Names a feed item of the caller. */
export const FeedItemInput = Type.Object({
  ref: Type.String({ minLength: 8, maxLength: 36, description: 'UUID or short_id of a feed item, or of a paper that is in one of your feeds.' })
}, { additionalProperties: false })

/** Which feedback of a project to list. */
export const FeedbackListInput = Type.Object({ project_id: ProjectId, feedback_filter: Type.Optional(FeedbackFilter), ...paging }, { additionalProperties: false })

/** A page of rated feed items. */
export const FeedbackListResult = Type.Object({
  items: Type.Array(FeedItem, { description: 'Last vote first.' }),
  ...page
})

/** A vote on a feed item. */
export const FeedbackSetInput = Type.Object({
  ...FeedItemInput.properties,
  vote: Words(votes, { description: 'upvote, downvote or star.' }),
  downvote_reason: Type.Optional(Nullable(Words(downvoteReasons, { description: 'Only with a downvote.' })))
}, { additionalProperties: false })
