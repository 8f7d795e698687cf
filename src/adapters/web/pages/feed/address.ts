import type { FeedSort } from '../../../../../schemas/feed-page.js'
import type { FeedbackFilter } from '../../../../../schemas/feedback.js'

/** The part of a feed that is listed, and the open item, as in the page's address. */
export interface FeedLocation {
  project_id: string
  q?: string | undefined
  filter?: FeedbackFilter | undefined
  must_read?: boolean | undefined
  sort?: FeedSort | undefined
  offset?: number | undefined
  as_of?: string | undefined
  /** The open item: its `short_id`, or its id if another item has the same `short_id`. */
  item?: string | undefined
}

/** Builds the address of a location. Defaults are omitted. */
export function feedAddress (
  { project_id, q, filter, must_read, sort, offset, as_of, item }: FeedLocation,
  path = `/projects/${project_id}`
): string {
  const query = new URLSearchParams()
  if (q) query.set('q', q)
  if (filter !== undefined && filter !== 'all') query.set('filter', filter)
  if (must_read === true) query.set('must_read', 'true')
  if (sort !== undefined && sort !== 'day') query.set('sort', sort)
  if (offset) query.set('offset', String(offset))
  // Keeps pages stable: without it, items move when new ones arrive or votes change.
  if (as_of !== undefined && (offset || filter === 'unrated')) query.set('as_of', as_of)
  if (item !== undefined) query.set('item', item)
  return query.size === 0 ? path : `${path}?${query}`
}
