import { type Static, Type } from 'typebox'
import { Nullable, Words } from './nullable.js'
import { Uuid } from './ids.js'

/** Classes of a score: at or above the must-read threshold, or below. */
export const relevanceClasses = ['must_read', 'related'] as const

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A term and what it adds to the score. */
export const Reason = Type.Object({
  term: Type.String({ description: 'As the paper writes it.' }),
  weight: Type.Number({ description: 'Its contribution to the score; negative if it lowers it.' }),
  from: Words(['interest', 'feedback'], { description: 'Where the term comes from: the project\'s interest, or votes.' })
}, { additionalProperties: false })
export type Reason = Static<typeof Reason>

/** The parts of a score. */
export const Contributions = Type.Object(
  {
    base: Type.Number({
      description: 'The score of an average paper of the feed, with as many numbers in its abstract; 0 before the first learning.'
    }),
    keywords: Type.Number({ description: "From the project's keywords." }),
    interest: Type.Number({ description: "From the project's interest." }),
    votes: Type.Number({ description: 'From votes.' })
  },
  {
    additionalProperties: false,
    description: 'The parts of relevance_score, which is their sum to three decimals. All are 0 if an excluded keyword makes it 0.'
  }
)
export type Contributions = Static<typeof Contributions>

/** The reasons for a score, as data. */
export const MatchingDetails = Type.Object(
  {
    terms: Type.Array(Reason, {
      description: 'The terms that say most about the contributions of interest and votes, strongest first; at most three lower the score.'
    }),
    contributions: Contributions,
    positive_keywords: Type.Array(Type.String(), { description: "The project's keywords that the paper has." }),
    negative_keywords: Type.Array(Type.String(), { description: "The project's excluded keywords that the paper has." }),
    liked_paper: Nullable(
      Type.Object(
        {
          paper_id: Uuid,
          title: Type.String(),
          similarity: Type.Number({ minimum: 0, maximum: 1 }),
          starred: Type.Boolean()
        },
        { additionalProperties: false }
      ),
      'The most similar liked paper; null if none is similar.'
    ),
    learned_from: Type.Object(
      { liked: count('Upvotes and stars.'), disliked: count('Downvotes.') },
      { additionalProperties: false, description: 'The votes that the score was learned from.' }
    ),
    excluded: Type.Boolean({ description: 'Whether an excluded keyword keeps the paper out.' })
  },
  { additionalProperties: false }
)
export type MatchingDetails = Static<typeof MatchingDetails>

/** The reasons as published: contributions are null until an item that an earlier version scored is scored again. */
export type PublishedDetails = Omit<MatchingDetails, 'contributions'> & { contributions: Contributions | null }

/** How well a paper matches a project, and why. */
export const Relevance = Type.Object({
  relevance_score: Type.Number({ minimum: 0, maximum: 1, description: '0 none, 1 certain. With votes, the probability of an upvote.' }),
  relevance_class: Words(relevanceClasses, { description: 'must_read from the project\'s threshold on, else related.' }),
  matching_details: MatchingDetails,
  personalized_note: Type.String({ description: 'Why the paper is in the feed, in a sentence.' })
}, { additionalProperties: false })
export type Relevance = Static<typeof Relevance>
