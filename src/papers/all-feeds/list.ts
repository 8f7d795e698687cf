import type { Caller } from '../../../db/caller.js'
import { countAllItems } from '../../../db/queries/all-feeds.js'
import type { FeedSort } from '../../../schemas/feed-page.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { type DayWindow, windowOfPage } from '../local-days.js'
import type { NamedFeedsFilter } from '../../../db/queries/feed-filter.js'
import { mergeFeeds } from './merge.js'

/** Counts end here, and no page begins after it: larger numbers cost time and help nobody. */
export const maxCountedItems = 10_000

/** @throws InvalidArguments if no page begins at a place */
export function requireListed (offset: number): void {
  if (offset <= maxCountedItems) return
  const maximum = maxCountedItems.toLocaleString('en')
  throw new InvalidArguments(`offset is larger than ${maximum}, the maximum. Narrow the filter, such as with year_from or project_id.`, {
    userMessage: `Only the first ${maximum} papers can be listed. Narrow the filter, such as by year or project.`
  })
}

/** A page of the items, found by indexes. */
export async function listFeeds (
  { db, account }: Caller,
  filter: NamedFeedsFilter,
  page: { limit: number, offset: number, sort: FeedSort }
): Promise<{ ids: string[], total: number }> {
  const part: DayWindow = page.sort === 'day'
    ? await windowOfPage({ db, account }, filter, page)
    : { filter, days: undefined, offset: page.offset }
  const order = part.parts === undefined ? { sort: page.sort, days: part.days } : { parts: part.parts }
  const items = await mergeFeeds({ db, account }, part.filter, { limit: page.limit, offset: part.offset, ...order })
  const ids = items.map(({ id }) => id)
  // The last page tells the number by itself, which saves counting.
  const isLast = ids.length < page.limit && (ids.length > 0 || page.offset === 0)
  const total = isLast ? page.offset + ids.length : countOf(filter) ?? await countAllItems(db, account.id, filter, maxCountedItems)
  return { ids, total: Math.min(total, maxCountedItems) }
}

/** The number of items of a filter by names alone. */
function countOf ({ projectIds: _projectIds, items, papers, ...others }: NamedFeedsFilter): number | undefined {
  const isNarrowed = [...Object.values(papers ?? {}), ...Object.values(others)].some(each => each !== undefined && each !== 'all')
  return isNarrowed ? undefined : items?.count
}
