import { type Static, Type } from 'typebox'
import { count } from './fields.js'
import { followBases, followKinds } from './follow.js'
import { Nullable, Words } from './nullable.js'
import { Uuid } from './ids.js'

/** Classes of a score: at or above the must-read threshold, or below. */
export const relevanceClasses = ['must_read', 'related'] as const

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
      description: 'The score of an average paper of the feed with as many numbers in its abstract; 0 until votes are learned.'
    }),
    keywords: Type.Number({ description: "From the project's keywords." }),
    interest: Type.Number({ description: "From the project's interest." }),
    votes: Type.Number({ description: 'From votes.' }),
    citations: Type.Optional(Type.Number({ description: 'From citations that link the paper to papers you starred or upvoted.' })),
    follows: Type.Optional(Type.Number({ description: 'From an author, a journal or an institution that the project follows.' })),
    exclusions: Type.Optional(Type.Number({ description: 'From what the interest excludes; negative.' }))
  },
  {
    additionalProperties: false,
    description:
      'The parts of relevance_score, which is their sum to three decimals. All are 0 if an excluded keyword makes it 0. Parts for ' +
      'citations, follows and exclusions are omitted if there are none.'
  }
)
export type Contributions = Static<typeof Contributions>

/** Something followed that a paper is by or in. */
export const FollowReason = Type.Object({
  kind: Words(followKinds, { description: 'Kind of what is followed.' }),
  name: Type.String({ description: 'Its name in the follows of the project.' }),
  by: Words(followBases, { description: 'id: by an identifier; name: by name alone, which may be a namesake.' })
}, { additionalProperties: false })
export type FollowReason = Static<typeof FollowReason>

const LikedPaper = Type.Object({
  paper_id: Uuid,
  title: Type.String(),
  starred: Type.Boolean()
}, { additionalProperties: false })

const LinkedPapers = (description: string) =>
  Type.Object({
    starred: count('Of papers that you starred.'),
    upvoted: count('Of papers that you upvoted.'),
    papers: Type.Array(LikedPaper, { maxItems: 3, description: 'Some of them, starred ones first.' })
  }, { additionalProperties: false, description })

/** How citations link a paper to liked papers of its project. */
export const CitationReasons = Type.Object({
  cites: LinkedPapers('Papers that it cites.'),
  cited_by: LinkedPapers('Papers that cite it.'),
  shares: Nullable(
    Type.Object({ ...LikedPaper.properties, references: count('References that both have.') }, { additionalProperties: false }),
    'The liked paper with which it shares most references; null if none has at least three of them.'
  )
}, { additionalProperties: false })
export type CitationReasons = Static<typeof CitationReasons>

/** Links of a paper to its project besides words. `strength`: of the citations, 0 to 1. */
export interface Signals {
  citations?: CitationReasons & { strength: number }
  follows?: FollowReason[]
}

/** Links by which a feed is filtered, each with its bit in `project_paper.links`. */
export const linkBits = { followed: 1, 'cites-starred': 2, 'cited-by-starred': 4, 'shares-references': 8 } as const
/** A link by which a feed is filtered. */
export type LinkFilter = keyof typeof linkBits

/** The bits of a paper's links. */
export const linksOf = ({ citations, follows = [] }: Pick<MatchingDetails, 'citations' | 'follows'>): number =>
  (follows.length > 0 ? linkBits.followed : 0) |
  ((citations?.cites.starred ?? 0) > 0 ? linkBits['cites-starred'] : 0) |
  ((citations?.cited_by.starred ?? 0) > 0 ? linkBits['cited-by-starred'] : 0) |
  ((citations?.shares ?? null) === null ? 0 : linkBits['shares-references'])

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
    excluded: Type.Boolean({ description: 'Whether an excluded keyword keeps the paper out.' }),
    excluded_phrases: Type.Optional(Type.Array(Type.String(), {
      description: 'What the paper has of what the interest excludes ("not in children"), which lowers its score. Omitted if it has none.'
    })),
    citations: Type.Optional(CitationReasons),
    follows: Type.Optional(Type.Array(FollowReason, { description: 'Followed authors, journals and institutions that match the paper.' }))
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
