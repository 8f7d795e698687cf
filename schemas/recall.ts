import { type Static, Type } from 'typebox'
import { count } from './fields.js'
import { Nullable } from './nullable.js'

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

/** How much of what matters in a project was rated. */
export const Recall = Type.Object({
  sentence: Type.String({ description: 'The estimate in words, or why there is none.' }),
  target: share('Share that counts as enough.'),
  confidence: share('Confidence of the bounds.'),
  relevant: count('Papers upvoted or starred in the feed.'),
  unrated: count('Papers of the feed without a vote.'),
  excluded: count('Papers that the weekly limit excluded.'),
  estimate: Nullable(share('The most likely share.'), 'The most likely share; null before an upvote.'),
  min_recall: share('Lower bound of the share; excluded papers may all be relevant.'),
  max_missing: count('Upper bound of relevant papers unrated or excluded.'),
  reached: Type.Boolean({ description: 'Whether the target is reached.' }),
  reached_in_feed: Type.Boolean({ description: 'Whether the target is reached without excluded papers.' }),
  votes_to_target: count('Further votes, best papers first, until reached_in_feed if they find nothing relevant.'),
  level: Nullable(share('A share.'), 'Highest of 0.8, 0.9, 0.95 and 0.98 that is reached without excluded papers, with confidence.'),
  next_level: Nullable(share('A share.'), 'The next of these shares.'),
  votes_to_next_level: count('Further votes, best papers first, that reach it if none of them is an upvote.')
}, { additionalProperties: false, description: 'Share of relevant papers rated, if the best are rated first.' })
export type Recall = Static<typeof Recall>

const { sentence, estimate, min_recall, votes_to_target, reached, reached_in_feed } = Recall.properties

/** The main figures alone, which keeps the lists of tools short. */
export const RecallSummary = Type.Object({ sentence, estimate, min_recall, votes_to_target, reached, reached_in_feed }, {
  additionalProperties: false,
  description: 'Share of relevant papers rated. The statistics of the project have the counts behind it.'
})
