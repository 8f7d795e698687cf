import type { FeedbackFilter } from '../../../../../schemas/feedback.js'

/** What the address of a feed says: which part of it is listed, and which item is open. */
export interface Place {
  project_id: string
  q?: string | undefined
  filter?: FeedbackFilter | undefined
  must_read?: boolean | undefined
  offset?: number | undefined
  as_of?: string | undefined
  /** `short_id`, or the id where another item shares it. */
  item?: string | undefined
}

/** The address of a place, with only what differs from the whole feed. */
export function feedAddress ({ project_id, q, filter, must_read, offset, as_of, item }: Place, path = `/projects/${project_id}`): string {
  const query = new URLSearchParams()
  if (q) query.set('q', q)
  if (filter !== undefined && filter !== 'all') query.set('filter', filter)
  if (must_read === true) query.set('must_read', 'true')
  if (offset) query.set('offset', String(offset))
  // Only where a later look would list other items.
  if (as_of !== undefined && (offset || filter === 'unrated')) query.set('as_of', as_of)
  if (item !== undefined) query.set('item', item)
  return query.size === 0 ? path : `${path}?${query}`
}
