import { dayMs, hourMs } from '../../schemas/durations.js'
import { shortText } from '../../schemas/short-text.js'
import { dayAfter, dayOf } from '../../schemas/utc-time.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { readTime } from './read-time.js'

const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: dayMs, w: 7 * dayMs }
const duration = /^(\d{1,4})\s*([hdw])$/i

/**
 * The time that `since` or `until` names: an RFC 3339 date or date-time, or how long ago it is (24h, 7d, 2w).
 * @throws InvalidArguments, with examples of today
 */
export function readPeriod (argument: string, text: string, now: Date): Date {
  const [, count, unit] = duration.exec(text.trim()) ?? []
  if (count !== undefined) return new Date(now.getTime() - Number(count) * unitMs[unit!.toLowerCase()]!)
  try {
    return readTime(argument, text)
  } catch (cause) {
    const today = dayOf(now)
    const lastWeek = dayAfter(today, -7)
    const shown = JSON.stringify(shortText(text, 40))
    throw new InvalidArguments(
      `${argument} is ${shown}. Allowed: an RFC 3339 date like ${lastWeek}, a date-time with its offset like ${today}T08:00:00Z, or how ` +
      `long ago, like 24h, 7d or 2w. Today is ${today}.`,
      { cause, userMessage: 'This date is not valid. Use a date like 2027-01-01.' }
    )
  }
}
