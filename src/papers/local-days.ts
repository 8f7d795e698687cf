import type { Caller } from '../../db/caller.js'
import { findTimeZone } from '../../db/queries/accounts.js'
import { countAllItems, type DayPart, listReadyTimes } from '../../db/queries/all-feeds.js'
import type { NamedFeedsFilter } from '../../db/queries/feed-filter.js'
import { maxSortedItems } from '../../db/queries/feed-page.js'
import type { DayStarts } from '../../db/queries/sort-keys.js'
import { dayMs } from '../../schemas/durations.js'
import { dayOf } from '../../schemas/utc-time.js'
import { mergeFeeds } from './all-feeds/merge.js'
import { dayAt, startOfDay } from './time-zones.js'

/**
 * A part of a list by day: the filter of its days, their starts and the place of the page among their items; and their parts, if they have
 * too many items to sort.
 */
export interface DayWindow { filter: NamedFeedsFilter, days: DayStarts, offset: number, parts?: DayPart[] | undefined }

/** Items of the days of a page that are sorted: half of what the list sorts, since more may enter meanwhile. */
const maxItemsOfDay = maxSortedItems / 2

/** Whether days are those of the index. */
const isUtc = (timeZone: string) => timeZone === 'UTC'

/**
 * Finds the days that a page of a list by day has, in the time zone of the account. No index orders items by the day of any time zone, but
 * the latest items are those of the latest days, so a page needs the items of its own days alone.
 */
export async function windowOfPage (
  { db, account }: Caller,
  filter: NamedFeedsFilter,
  { limit, offset }: { limit: number, offset: number }
): Promise<DayWindow> {
  const timeZone = await findTimeZone(db, account.id)
  const newest = isUtc(timeZone) ? [] : await mergeFeeds({ db, account }, filter, { limit, offset, sort: 'newest' })
  const times = newest.map(({ keys: [seconds] }) => new Date(Math.round(Number(seconds) * 1000)))
  if (times.length === 0) return { filter, days: undefined, offset }
  const { since, until, days } = daysOf(times, timeZone)
  const before = offset === 0 ? 0 : await countAllItems(db, account.id, { ...filter, since: latest(filter.since, until) }, offset)
  const ofDays = within(filter, since, until)
  return { filter: ofDays, days, offset: offset - before, parts: await partsOfLarge({ db, account }, ofDays, days, until) }
}

/** The parts of days, numbered from 1; the last day ends at `end`. */
function partsOf (days: readonly Date[], end: Date): DayPart[] {
  return days.flatMap((start, day) => {
    const next = days[day + 1] ?? end
    const parts: DayPart[] = []
    for (let since = start; since < next;) {
      const midnight = new Date((Math.floor(since.getTime() / dayMs) + 1) * dayMs)
      const until = earliest(midnight, next)
      parts.push({ day: day + 1, utcDay: dayOf(since), since, until })
      since = until
    }
    return parts
  })
}

/**
 * Finds the days of an item and of its neighbors in a list by day.
 * @param limit neighbors on each side @param maxRead items of each feed that are looked at on each side
 */
export async function windowAround (
  { db, account }: Caller,
  filter: NamedFeedsFilter,
  { readyAt, limit, maxRead }: { readyAt: Date, limit: number, maxRead: number }
): Promise<Omit<DayWindow, 'offset'>> {
  const timeZone = await findTimeZone(db, account.id)
  if (isUtc(timeZone)) return { filter, days: undefined }
  const day = dayAt(readyAt, timeZone)
  const [start, end] = [startOfDay(day, timeZone), startOfDay(day, timeZone, 1)]
  const [earlier, later] = await Promise.all([
    listReadyTimes(db, account.id, { ...filter, until: earliest(filter.until, start) }, { limit, maxRead }),
    listReadyTimes(db, account.id, { ...filter, since: latest(filter.since, end) }, { limit, earliestFirst: true, maxRead })
  ])
  const { since, until, days } = daysOf([...earlier, readyAt, ...later], timeZone)
  const ofDays = within(filter, since, until)
  return { filter: ofDays, days, parts: await partsOfLarge({ db, account }, ofDays, days, until) }
}

/** The parts of days that have too many items to sort. */
async function partsOfLarge (
  { db, account }: Caller,
  filter: NamedFeedsFilter,
  days: readonly Date[],
  until: Date
): Promise<DayPart[] | undefined> {
  const items = await countAllItems(db, account.id, filter, maxItemsOfDay + 1)
  return items > maxItemsOfDay ? partsOf(days, until) : undefined
}

/** The days of these times, and the period from the first to the last. */
function daysOf (times: readonly Date[], timeZone: string) {
  const names = [...new Set(times.map(time => dayAt(time, timeZone)))].sort()
  const days = names.map(name => startOfDay(name, timeZone))
  return { days, since: days[0]!, until: startOfDay(names.at(-1)!, timeZone, 1) }
}

const within = (filter: NamedFeedsFilter, since: Date, until: Date): NamedFeedsFilter =>
  ({ ...filter, since: latest(filter.since, since), until: earliest(filter.until, until) })
const latest = (a: Date | undefined, b: Date) => a !== undefined && a > b ? a : b
const earliest = (a: Date | undefined, b: Date) => a !== undefined && a < b ? a : b

/** Returns a function that names the day of a time in seconds since 1970, for many times. */
export async function dayNames ({ db, account }: Caller): Promise<(seconds: number) => string> {
  const timeZone = await findTimeZone(db, account.id)
  // No zone changes its clocks within a quarter of an hour.
  const known = new Map<number, string>()
  return seconds => {
    const quarter = Math.floor(seconds / 900)
    const name = known.get(quarter) ?? dayAt(new Date(quarter * 900_000), timeZone)
    known.set(quarter, name)
    return name
  }
}
