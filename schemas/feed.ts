import { type Static, Type } from 'typebox'
import { Coverage } from './coverage.js'
import { Feedback, FeedbackFilter, downvoteReasons, votes } from './feedback.js'
import { count, time } from './fields.js'
import { PaperReference, ProjectReference, ShortId, Uuid } from './ids.js'
import { type ItemMarks, itemMarks, markChanges, markFilters, maxTags, maxUnitedNoteLength, SentTag } from './item-state.js'
import { Nullable, Words } from './nullable.js'
import { page, paging } from './paging.js'
import { ChangedPapers, Learning } from './learning.js'
import { Paper, PaperInput } from './paper.js'
import { type PublishedDetails, relevanceClasses } from './relevance.js'
import { SearchText, searchTextLength } from './search-text.js'

/** One paper in one project: score, explanation, feedback and the paper itself. */
export const FeedItem = Type.Object(
  {
    id: Uuid,
    short_id: ShortId,
    slug: Type.String({ description: 'The title as part of an address.' }),
    project_id: Uuid,
    paper_title: Type.String({ description: "The paper's title." }),
    summary: Nullable(Type.String(), 'Summary of the paper in a few sentences.'),
    summary_origin: Words(['abstract', 'model'], {
      description: 'Where the summary is from: sentences of the abstract, or a language model that the operator configured.'
    }),
    relevance_score: Type.Number({ minimum: 0, maximum: 1, description: "Match with the project's interest, 0 (none) to 1 (certain)." }),
    relevance_class: Words(relevanceClasses, { description: "must_read from the project's threshold on, else related." }),
    must_read: Type.Boolean({ description: 'Whether relevance_class is must_read.' }),
    matching_details: Type.Unsafe<PublishedDetails>(
      Type.Record(Type.String(), Type.Unknown(), { description: 'The reasons for the score, as data.' })
    ),
    personalized_note: Nullable(Type.String(), 'Why the paper is in this feed, in one sentence.'),
    ready_at: time('When the item was added to the feed.'),
    feedback: Nullable(Feedback, 'Your vote, null while there is none.'),
    ...itemMarks,
    paper: Paper
  },
  { description: 'One paper in one project.' }
)
export type FeedItem = Static<typeof FeedItem>
/** The same without its owner's marks and vote. */
export type UnmarkedItem = Omit<FeedItem, keyof ItemMarks | 'feedback'>

/**
 * Item as a digest needs it, in at most 1,000 characters on average: some of its fields, with the first authors and a summary of two
 * sentences. It has only those marks of its owner that are set.
 */
export const BriefItem = Type.Object(
  {
    ...Type.Pick(FeedItem, ['id', 'paper_title', 'summary', 'relevance_score', 'must_read', 'personalized_note', 'ready_at', 'feedback'])
      .properties,
    ...Type.Partial(Type.Object(itemMarks)).properties,
    paper: Type.Object({
      ...Type.Pick(Paper, ['authors', 'published_date', 'venue_name', 'reference_label', 'index_url']).properties,
      ...Type.Partial(Type.Pick(Paper, ['metadata'])).properties
    }, { description: 'The paper, with its first authors; metadata has only retracted and its notices, if it has any.' })
  },
  { description: 'A feed item in brief.' }
)
export type BriefItem = Static<typeof BriefItem>

/** An item. The type leaves brief items out: only programs inside rely on it, and they read full items. */
const Item = Type.Unsafe<FeedItem>(
  Type.Union([FeedItem, BriefItem], { description: 'An item, or with detail "brief" some of its fields.' })
)

/** Items of a page. */
const Items = (description: string) => Type.Array(Item, { description })

/** Forms of the items of a page. */
export const itemDetails = ['full', 'brief'] as const
/** How much of each item to return. */
export const ItemDetail = Words(itemDetails, { description: 'brief: what a digest needs.', default: 'full' })

const Period = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }))
const period = {
  since: Period('Added to the feed since: 24h, 7d, 2026-11-20 or 2026-11-20T08:00:00Z.'),
  until: Period('End, exclusive; same formats.')
}

const MustRead = Type.Boolean({ description: 'true: only must-read; false: none of them.' })

/** Input of `feed_get`. The tool does not take the filters of marks. */
export const FeedGetInput = Type.Object({
  project_id: ProjectReference,
  must_read: Type.Optional(MustRead),
  ...period,
  feedback_filter: Type.Optional(FeedbackFilter),
  ...markFilters,
  sort: Type.Optional(Words(['newest', 'relevance'], { description: 'Order.', default: 'newest' })),
  detail: Type.Optional(ItemDetail),
  ...paging
}, { additionalProperties: false })

/** A page of a feed. */
export const FeedGetResult = Type.Object({
  items: Items('Newest ready_at first, or in the order of sort.'),
  total: count('Matching items on all pages.'),
  ...page,
  coverage: Coverage
})

/** Input of `feed_search`. The tool does not take the filters of marks. */
export const FeedSearchInput = Type.Object({
  project_id: ProjectReference,
  q: SearchText({
    description: `Words or an identifier, ${searchTextLength.minimum} to ${searchTextLength.maximum} characters.`
  }),
  feedback_filter: Type.Optional(FeedbackFilter),
  ...markFilters,
  must_read: Type.Optional(MustRead),
  ...period,
  detail: Type.Optional(ItemDetail),
  ...paging
}, { additionalProperties: false })

/** A page of matches, best first. Requirement spec:2-search-result. */
export const FeedSearchResult = Type.Object({
  items: Items('Best match first.'),
  ...page,
  query: Type.String({
    description: 'The query as processed: its terms joined by a space, or by OR where some items on the page match only some of them.'
  })
})

/** Papers of a project's Atom feed. */
export const atomFeedSize = 50

/**
 * Authors, and characters of the abstract, that are read of each paper for lists that anyone with the address may load. Pages show 100 and
 * 5,000, Atom feeds less.
 */
export const publicExtract = { authors: 100, abstract: 5001 }

/** The address of a project's Atom feed; it contains a token. */
export const FeedAtomUrlResult = Type.Object({
  project_id: Uuid,
  url: Type.String({ format: 'uri', description: 'Address of the Atom feed. It holds a token: anyone with the address can read the feed.' })
})

/** A paper to add to a project. */
export const PaperAddInput = Type.Object({
  project_id: ProjectReference,
  identifier: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'DOI, PMID, PMCID or arXiv id, plain or as a URL, the URL of a page that states one, a whole title, or a paper_id, ' +
      'such as one of project_preview.'
  })
}, { additionalProperties: false })

/**
 * The added feed item, or the job that asks the sources: one object, since clients drop tools whose schema has a combinator at its root.
 */
export const PaperAddResult = Type.Object({
  ...Type.Partial(FeedItem).properties,
  job_id: Type.Optional(Type.String({ format: 'uuid', description: 'Instead of the item: the job that asks the sources.' })),
  created: Type.Optional(Type.Boolean({ description: 'With job_id: false if the job was queued before.' })),
  detail: Type.Optional(Type.String({ description: 'With job_id: what to do.' }))
})

/** Names a feed item of the caller. */
export const FeedItemInput = Type.Object({ ref: PaperReference }, { additionalProperties: false })

/** Filters the feedback of a project. */
export const FeedbackListInput = Type.Object(
  { project_id: ProjectReference, feedback_filter: Type.Optional(FeedbackFilter), ...paging },
  { additionalProperties: false }
)

/** A page of rated feed items. */
export const FeedbackListResult = Type.Object({
  items: Type.Array(FeedItem, { description: 'Most recent vote first.' }),
  ...page
})

/** A feed item after a change of its vote, and when the vote takes effect. */
export const FeedbackResult = Type.Object({ item: Item, learning: Learning })

/** The changes that a vote would make in its feed. */
export const FeedbackPreviewResult = Type.Object({
  compared: count('Newest other papers of the feed that were compared, at most 200.'),
  rose: ChangedPapers('Those whose score would rise by 0.05 or more.'),
  fell: ChangedPapers('Those whose score would fall by 0.05 or more.'),
  passing: count('Those that would reach feed_threshold.'),
  passing_now: count('Those that reach it without the vote.')
}, { description: 'The effect of the vote alone, without other votes that are not learned yet. Nothing is saved.' })
export type FeedbackPreviewResult = Static<typeof FeedbackPreviewResult>

/** A vote on a feed item. */
export const FeedbackSetInput = Type.Object({
  ...PaperInput.properties,
  vote: Words(votes, { description: 'To remove a vote, call feedback_clear.' }),
  downvote_reason: Type.Optional(Words(downvoteReasons, { description: 'Only with a downvote.' })),
  detail: Type.Optional(ItemDetail)
}, { additionalProperties: false })

/** A vote whose effect is wanted. */
export const FeedbackPreviewInput = Type.Omit(FeedbackSetInput, ['detail'], { additionalProperties: false })

/** A feed item whose vote is removed. */
export const FeedbackClearInput = Type.Object(
  { ...PaperInput.properties, detail: Type.Optional(ItemDetail) },
  { additionalProperties: false }
)

/** Changes of the marks of a feed item. */
export const ItemUpdateInput = Type.Object({ ...FeedItemInput.properties, ...markChanges }, { additionalProperties: false })

/** Changes the tags and the note of a feed item as they are at the time of the call, so that those of others remain. */
export const ItemAmendInput = Type.Object({
  ...FeedItemInput.properties,
  tags: Type.Optional(Type.Array(SentTag, { maxItems: maxTags, description: 'Tags to add.' })),
  removed_tags: Type.Optional(Type.Array(SentTag, { maxItems: maxTags, description: 'Tags to remove.' })),
  note: markChanges.note,
  note_bases: Type.Optional(Type.Array(
    Type.String({ maxLength: maxUnitedNoteLength }),
    { maxItems: 2, description: 'Notes that the new one may replace. It is added to any other. Default: replaces any note.' }
  ))
}, { additionalProperties: false })

/** The note of an item after a change. */
export const ItemAmendResult = Type.Object({
  note: itemMarks.note,
  is_united: Type.Boolean({ description: 'Whether the item had another note than those to replace, which remains.' })
})

/** Selects the items of a day to mark as seen. */
export const FeedSeenInput = Type.Object({
  project_id: ProjectReference,
  day: Type.String({
    format: 'date',
    description: 'The day on which the items were added to the feed, in the time zone of the account: YYYY-MM-DD.'
  }),
  seen: Type.Optional(Type.Boolean({ description: 'false undoes a call with the same day and time.', default: true })),
  at: Type.Optional(Type.String({ maxLength: 64, description: 'When they were seen; later items are left out. Default: now.' })),
  feedback_filter: Type.Optional(FeedbackFilter),
  must_read: Type.Optional(MustRead),
  ...Type.Omit(Type.Object(markFilters), ['seen']).properties
}, { additionalProperties: false })

/** How many items changed. */
export const FeedSeenResult = Type.Object({ changed: count('Items that changed.') })
