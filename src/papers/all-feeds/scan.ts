import type { Db } from '../../../db/connection.js'
import { StatementTimeout } from '../../../db/errors.js'
import { compareItems, scanAllItems, type ScannedItem } from '../../../db/queries/all-feeds.js'
import type { Caller } from '../../../db/caller.js'
import type { FeedSort } from '../../../schemas/feed-page.js'
import type { PaperFilter } from '../../../schemas/search-filter.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import type { FairQueue } from '../../threads/fair-queue.js'
import { dayNames } from '../local-days.js'
import type { NamedFeedsFilter } from '../../../db/queries/feed-filter.js'
import { maxCountedItems } from './list.js'

/** No index finds stored texts: a filter by them looks at every paper of the feeds, for this time at most. */
const maxScanMs = 10_000

interface ScanCaller extends Caller {
  sharedDb: Db
  /** The scans of all accounts. */
  sharedWork: { scans: FairQueue }
}

/**
 * A page of the items, found by looking at all of them, some at a time. Accounts take turns, so one scan runs at a time.
 * @throws InvalidArguments if the filter takes too long
 */
export async function scanFeeds (
  { db, sharedDb, account, sharedWork: { scans } }: ScanCaller,
  filter: NamedFeedsFilter,
  { limit, offset, sort }: { limit: number, offset: number, sort: FeedSort }
): Promise<{ ids: string[], total: number }> {
  const items = scanAllItems(sharedDb, account.id, filter, { sort, limitMs: maxScanMs })[Symbol.asyncIterator]()
  const dayName = sort === 'day' ? await dayNames({ db, account }) : undefined
  let first: ScannedItem[] = []
  let total = 0
  for (let spentMs = 0; ;) {
    const found = await scans.run(account.id, async () => {
      try {
        return await items.next()
      } catch (cause) {
        throw cause instanceof StatementTimeout ? filterTooSlow(filter.papers, cause) : cause
      }
    })
    if (found.done === true) break
    const { items: scanned, tookMs } = found.value
    const matching = dayName === undefined
      ? scanned
      : scanned.map(({ id, keys: [seconds, ...others] }) => ({ id, keys: [dayName(Number(seconds)), ...others] }))
    spentMs += tookMs
    if (spentMs > maxScanMs) throw filterTooSlow(filter.papers)
    total += matching.length
    if (matching.length > 0) first = [...first, ...matching].sort(compareItems).slice(0, offset + limit)
  }
  return { ids: first.slice(offset).map(({ id }) => id), total: Math.min(total, maxCountedItems) }
}

function filterTooSlow (
  { author, authorId, venue, issn, hasFullText }: PaperFilter = {},
  cause?: StatementTimeout
): InvalidArguments {
  const names = Object.entries({ author: author ?? authorId, venue: venue ?? issn, has_full_text: hasFullText })
    .filter(([, value]) => value !== undefined)
  return new InvalidArguments(
    `The filter by ${names.map(([name]) => name).join(' and ')} took longer than ${maxScanMs / 1000} s: it reads every paper of the ` +
      'selected feeds. Select one project with project_id, or search with q.',
    { cause, userMessage: `This filter took longer than ${maxScanMs / 1000} s. Select one project, or search for words.` }
  )
}
