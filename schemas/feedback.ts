import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { Nullable, Words } from './nullable.js'

/** Kinds of votes. */
export const votes = ['upvote', 'downvote', 'star'] as const
/** Why a paper was downvoted. */
export const downvoteReasons = ['not_relevant', 'low_quality'] as const

/** The vote on a feed item. */
export const Feedback = Type.Object({
  vote: Words(votes, { description: 'upvote: relevant; star: one of the best; downvote: not wanted.' }),
  downvote_reason: Nullable(Words(downvoteReasons, { description: 'Why a downvote was given.' })),
  updated_at: time('When the vote was last changed.')
}, { description: 'The owner\'s vote.' })
export type Feedback = Static<typeof Feedback>

/** Filters of feed items by their vote. */
export const feedbackFilters = ['all', 'unrated', 'liked', 'disliked', 'starred', 'not-relevant', 'low-quality'] as const

/** Selects feed items by their vote. */
export const FeedbackFilter = Words(feedbackFilters, {
  description: 'Only with this vote; liked: upvotes; disliked: any downvote.',
  default: 'all'
})
export type FeedbackFilter = Static<typeof FeedbackFilter>
