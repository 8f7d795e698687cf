import { hourMs } from '../../../../../schemas/durations.js'
import type { FeedSort } from '../../../../../schemas/feed-page.js'
import type { FeedbackFilter } from '../../../../../schemas/feedback.js'

/** The part of a feed that is listed, and the open item, as in the page's address. */
export interface FeedLocation {
  /** Path of the list: that of a project, or of all projects. */
  base: string
  /** Undefined for the list of all projects. */
  project_id?: string | undefined
  /** Filters that are shown as chips, by their names in the address. */
  stated?: Readonly<Record<string, string>> | undefined
  q?: string | undefined
  filter?: FeedbackFilter | undefined
  must_read?: boolean | undefined
  seen?: boolean | undefined
  saved?: boolean | undefined
  tag?: string | undefined
  sort?: FeedSort | undefined
  /** The order without a choice. Default: by day. */
  defaultSort?: FeedSort | undefined
  offset?: number | undefined
  as_of?: string | undefined
  /** The open item: its `short_id`, or its id if another item has the same `short_id`. */
  item?: string | undefined
}

/** A reader who comes back later than this to the first page of a list wants to see what is new. */
const maxPauseMs = 3 * hourMs

/** The time as of which a list is read, as its address states it. Undefined: now. */
export const statedTime = ({ as_of, offset = 0 }: Pick<FeedLocation, 'as_of' | 'offset'>, now: Date): string | undefined =>
  as_of !== undefined && offset === 0 && now.getTime() - Date.parse(as_of) > maxPauseMs ? undefined : as_of

/** The search and filters of a location, without the page and the open item. */
export const filtersOf = ({ offset: _offset, as_of: _time, item: _item, ...filters }: FeedLocation): FeedLocation => filters

/** Whether a location lists only a part of its feed. */
export const isFiltered = ({ filter = 'all', must_read = false, seen, saved, tag, stated = {} }: FeedLocation): boolean =>
  filter !== 'all' || must_read || seen !== undefined || saved !== undefined || tag !== undefined || Object.keys(stated).length > 0

/** Builds the address of a location. Defaults are omitted. */
export function feedAddress (location: FeedLocation, path = location.base): string {
  const { q, filter, must_read, seen, saved, tag, stated = {}, sort, defaultSort = 'day', offset, as_of, item } = location
  const query = new URLSearchParams()
  if (q) query.set('q', q)
  if (filter !== undefined && filter !== 'all') query.set('filter', filter)
  if (must_read === true) query.set('must_read', 'true')
  if (seen !== undefined) query.set('seen', String(seen))
  if (saved !== undefined) query.set('saved', String(saved))
  if (tag !== undefined) query.set('tag', tag)
  for (const [name, value] of Object.entries(stated)) query.set(name, value)
  if (sort !== undefined && sort !== defaultSort) query.set('sort', sort)
  if (offset) query.set('offset', String(offset))
  // Keeps pages stable: without it, items move when new ones arrive, votes change or items are seen.
  if (as_of !== undefined && (offset || filter === 'unrated' || seen === false)) query.set('as_of', as_of)
  if (item !== undefined) query.set('item', item)
  return query.size === 0 ? path : `${path}?${query}`
}

/** The address of an item's paper, whose page steps through the list of a location, and leads back to its place there. */
export const paperAddress = (location: FeedLocation, { paperId, item }: { paperId: string, item: string }): string =>
  `${feedAddress({ ...location, item }, `/papers/${paperId}`)}${location.project_id === undefined ? '&all=true' : ''}`
