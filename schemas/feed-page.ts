import { type Static, Type } from 'typebox'
import { Feedback, FeedbackFilter } from './feedback.js'
import { time } from './fields.js'
import { ProjectId, ShortId, Uuid } from './ids.js'
import { itemMarks, markFilters } from './item-state.js'
import { Notice } from './notice.js'
import { Nullable, Words } from './nullable.js'
import { page, paging } from './paging.js'
import { SearchText } from './search-text.js'

/** A feed item as the list on a page shows it. */
export const FeedRow = Type.Object({
  id: Uuid,
  short_id: ShortId,
  paper_title: Type.String({ description: 'The paper\'s title.' }),
  authors: Type.Array(Type.String(), { description: 'Names of the first three authors.' }),
  author_count: Type.Integer({ description: 'Number of all authors.' }),
  source_name: Type.String({ description: 'Where the record came from.' }),
  venue_name: Nullable(Type.String(), 'Journal, conference or server.'),
  published_date: Nullable(Type.String(), 'YYYY-MM-DD.'),
  published: Nullable(Type.String(), 'The same as written, which shows whether the source stated a day.'),
  relevance_score: Type.Number({ description: 'Match with the project\'s interest, 0 to 1.' }),
  must_read: Type.Boolean({ description: 'Whether it is classed must_read.' }),
  ready_at: time('When the item was added to the feed.'),
  feedback: Nullable(Feedback, 'Your vote.'),
  ...Type.Omit(Type.Object(itemMarks), ['note']).properties,
  has_note: Type.Boolean({ description: 'Whether you have a note on it.' }),
  changes: Type.Array(Type.Pick(Notice, ['kind', 'label']), { description: 'What became of it, most serious first.' })
}, { description: 'A feed item as a line of a list.' })
export type FeedRow = Static<typeof FeedRow>

/** Orders of a feed. */
export const feedSorts = ['day', 'best', 'newest', 'published'] as const
/** An order of a feed. */
export const FeedSort = Words(feedSorts, {
  description:
    'day: by the day of ready_at in the time zone of the account, best first within a day; best: highest score first; newest: last ' +
    'ready_at first; published: by publication date. A search has its own order.',
  default: 'day'
})
export type FeedSort = Static<typeof FeedSort>

/** Keeps the pages of a list stable. */
const AsOf = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'The feed as of this time: without later items, and ignoring later votes in the filter unrated.'
  })
)

/** Arguments of every list of feed items: filters, order and page. */
export const listArguments = {
  feedback_filter: Type.Optional(FeedbackFilter),
  ...markFilters,
  must_read: Type.Optional(Type.Boolean({ description: 'true: only items classed must_read; false: only the others.' })),
  sort: Type.Optional(FeedSort),
  as_of: AsOf,
  ...paging
}

/** Select items of one feed by score and day. An omitted filter selects every item. */
export const rangeFilters = {
  min_score: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Minimum relevance_score.' })),
  max_score: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Upper end of relevance_score, excluded unless 1.' })),
  since: Type.Optional(Type.String({ format: 'date', description: 'First day (UTC) of ready_at.' })),
  until: Type.Optional(Type.String({ format: 'date', description: 'Day (UTC) of ready_at after the last.' }))
}

/** Selects a page of a feed. */
export const FeedPageInput = Type.Object(
  {
    project_id: ProjectId,
    q: Type.Optional(SearchText({ hasShortWords: true, description: 'Search words as for feed_search. Default: lists the whole feed.' })),
    ...rangeFilters,
    ...listArguments
  },
  { additionalProperties: false }
)

/** One page of a feed, with its project. */
export const FeedPageResult = Type.Object({
  project: Type.Object({ id: Uuid, name: Type.String() }),
  projects: Type.Array(Type.Object({ id: Uuid, name: Type.String() }), { description: 'All projects, newest first, to switch between.' }),
  items: Type.Array(FeedRow),
  total: Nullable(Type.Integer(), 'Matching items on all pages, up to a limit; null for a search.'),
  has_all_counted: Type.Boolean({ description: 'Whether total is exact.' }),
  ...page,
  query: Nullable(Type.String(), 'The query as processed.'),
  as_of: time('Pass it to get the next page of the same list.')
})
