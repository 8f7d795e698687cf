import type { Caller } from '../../../db/caller.js'
import { compareItems, type DayPart, listAllItems, listItemsOfDays, type ListedItem } from '../../../db/queries/all-feeds.js'
import type { DayStarts } from '../../../db/queries/sort-keys.js'
import type { FeedSort } from '../../../schemas/feed-page.js'
import { createYielder } from '../../threads/yielder.js'
import type { NamedFeedsFilter } from '../../../db/queries/feed-filter.js'

/** Items of all feeds that one statement reads. Others use the embedded database between two statements. */
const maxRows = 5000
/** Items that each feed gives at first, beyond twice its share of a page. */
const spareItems = 50

/** An order of items: of a list, or by parts of the days of a time zone. */
type Order = { sort: FeedSort, days?: DayStarts } | { parts: readonly DayPart[] }

/**
 * A page of the items of several feeds, in an order. A deep page of many feeds has few items of each, so each first gives some, and more
 * only while those that follow can belong to the page.
 */
export async function mergeFeeds (
  { db, account }: Caller,
  filter: NamedFeedsFilter,
  { limit, offset, ...order }: { limit: number, offset: number } & Order
): Promise<ListedItem[]> {
  const list = (projectIds: readonly string[], page: { limit: number, offset: number, perFeed?: number }) => 'parts' in order
    ? listItemsOfDays(db, account.id, { ...filter, projectIds }, { ...order, ...page })
    : listAllItems(db, account.id, { ...filter, projectIds }, { ...order, ...page })
  const end = offset + limit
  if (filter.projectIds.length <= feedsAtOnce(end, order)) return await list(filter.projectIds, { limit, offset })

  const yieldIfDue = createYielder()
  let merged: ListedItem[] = []
  let unfinished = filter.projectIds
  for (let perFeed = Math.ceil(2 * end / unfinished.length) + spareItems; unfinished.length > 0; perFeed *= 2) {
    const given = Math.min(perFeed, end)
    const read = new Set(unfinished)
    merged = merged.filter(({ project_id }) => !read.has(project_id))
    for (const projectIds of groupsOf(unfinished, feedsAtOnce(given, order))) {
      merged = mergeItems(merged, await list(projectIds, { limit: end, offset: 0, perFeed: given }), end)
      await yieldIfDue()
    }
    unfinished = given === end ? [] : unfinishedFeeds(merged, unfinished, { end, given })
  }
  return merged.slice(offset)
}

/** Feeds of which one statement reads so many items. The first and the last day of a time zone are in two days of UTC each. */
const feedsAtOnce = (perFeed: number, order: Order) =>
  Math.max(1, Math.floor(maxRows / perFeed / ('parts' in order ? Math.min(4, order.parts.length) : 1)))

const groupsOf = (ids: readonly string[], size: number) =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size))

/** The first items of two lists in the same order. */
function mergeItems (a: readonly ListedItem[], b: readonly ListedItem[], limit: number): ListedItem[] {
  const merged: ListedItem[] = []
  for (let [atA, atB] = [0, 0]; merged.length < limit && (atA < a.length || atB < b.length);) {
    const isNextInA = atB >= b.length || (atA < a.length && compareItems(a[atA]!, b[atB]!) < 0)
    merged.push(isNextInA ? a[atA++]! : b[atB++]!)
  }
  return merged
}

/** The feeds all of whose given items are in a list, and that may have more before its end. */
function unfinishedFeeds (merged: readonly ListedItem[], projectIds: readonly string[], { end, given }: { end: number, given: number }) {
  const counts = new Map<string, number>()
  for (const { project_id } of merged) counts.set(project_id, (counts.get(project_id) ?? 0) + 1)
  const last = merged.length < end ? undefined : merged.at(-1)!.project_id
  return projectIds.filter(id => counts.get(id) === given && id !== last)
}
