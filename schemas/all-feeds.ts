import { type Static, Type } from 'typebox'
import { FeedItem } from './feed.js'
import { FeedRow, listArguments } from './feed-page.js'
import { time } from './fields.js'
import { ProjectReference, Uuid } from './ids.js'
import { Nullable } from './nullable.js'
import { page } from './paging.js'
import { SearchText } from './search-text.js'

const Year = (description: string) => Type.Optional(Type.Integer({ minimum: 1000, maximum: 9999, description }))
const Part = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description }))

/** Filters items by fields of their papers. */
export const paperFilters = {
  year_from: Year('Published in this year or later.'),
  year_to: Year('Published in this year or earlier.'),
  venue: Part('Part of the name of the journal, conference or server, case-insensitive; or an ISSN.'),
  author: Part('Part of the name of an author, case-insensitive; or an ORCID iD or OpenAlex author id.'),
  has_full_text: Type.Optional(Type.Boolean({ description: 'true: only papers whose full text is stored; false: only others.' }))
}

/** Filters the items of all feeds. */
export const AllFeedsInput = Type.Object({
  q: Type.Optional(SearchText({ hasShortWords: true, description: 'Search words as for feed_search. Default: lists all items.' })),
  project_id: Type.Optional(ProjectReference),
  ...paperFilters,
  ...listArguments
}, { additionalProperties: false })

/** An item of a feed, with the name of its project. */
export const AllFeedsItem = Type.Object({
  ...FeedItem.properties,
  project_name: Type.String({ description: 'Name of the project.' })
}, { description: 'One paper in one project, with the name of the project.' })
export type AllFeedsItem = Static<typeof AllFeedsItem>

const order = 'In the order of sort; a search has its own: items with all words first. A paper in two projects is two items.'

const pageOfAll = {
  total: Nullable(Type.Integer(), 'Matching items on all pages, at most 10,000; null for a search.'),
  ...page,
  query: Nullable(Type.String(), 'The query as processed; null without one.'),
  as_of: time('Pass it to get the next page of the same list.')
}

/** A page of the items of all feeds. */
export const AllFeedsResult = Type.Object({ items: Type.Array(AllFeedsItem, { description: order }), ...pageOfAll })

/** The same page as rows of a list. */
export const AllFeedsPage = Type.Object({
  items: Type.Array(Type.Object({ ...FeedRow.properties, project_id: Uuid, project_name: AllFeedsItem.properties.project_name }), {
    description: order
  }),
  ...pageOfAll
})
