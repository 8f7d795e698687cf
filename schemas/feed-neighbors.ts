import { Type } from 'typebox'
import { paperFilters } from './all-feeds.js'
import { FeedPageInput, listArguments } from './feed-page.js'
import { Uuid } from './ids.js'

/** An item, and the list to find its neighbors in: its project's or that of all projects. */
export const FeedNeighborsInput = Type.Object({
  item_id: Uuid,
  all_projects: Type.Optional(Type.Boolean({ description: 'Whether the list is of all projects. Default: of the item\'s own.' })),
  ...Type.Omit(FeedPageInput, ['limit', 'offset']).properties,
  project_id: Type.Optional(FeedPageInput.properties.project_id),
  ...paperFilters,
  sort: listArguments.sort
}, { additionalProperties: false })

/** Items on each side of an item, at most. */
export const maxNeighbors = 20

const Neighbors = (description: string) => Type.Array(Uuid, { maxItems: maxNeighbors, description })

/** The items before and after an item in a list. */
export const FeedNeighborsResult = Type.Object({
  previous: Neighbors('The items before it, nearest first; empty: it is the first.'),
  next: Neighbors('The items after it, nearest first; empty: it is the last.')
})
