import { LRUCache } from 'lru-cache'
import { dayMs } from '../../schemas/durations.js'
import { dayOf } from '../../schemas/utc-time.js'

/** A day and a time of day on clocks in a time zone. `month` is 1 to 12. */
export interface LocalTime { year: number, month: number, day: number, hour: number }

// Offsets such as +02:00 are no time zones: they have no daylight saving time.
const form = /^[A-Za-z][A-Za-z0-9_+\-/]{1,63}$/
/** A format takes milliseconds to create. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })

function formatOf (timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  })
  formats.set(timeZone, format)
  return format
}

/** Whether a text can be the name of a time zone. */
export const isTimeZoneName = (text: string): boolean => form.test(text)

/** Returns a time zone's name as the tz database spells it; undefined if there is no such zone. */
export function readTimeZone (name: string): string | undefined {
  if (!form.test(name)) return undefined
  try {
    const { timeZone } = formatOf(name).resolvedOptions()
    // Keeps a newer name, such as Asia/Kolkata, where the runtime resolves it to the older one.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}

/** The time zones to choose from, sorted by name. */
export const listTimeZones = (): string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort()

/** The time that clocks in the time zone show, as if it were UTC. */
function clockAt (time: Date, timeZone: string): Date {
  const parts = Object.fromEntries(formatOf(timeZone).formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  return new Date(Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second))
}

const offsetAt = (ms: number, timeZone: string) => clockAt(new Date(ms), timeZone).getTime() - Math.floor(ms / 1000) * 1000

/** The local time of an instant. */
export function localTimeAt (time: Date, timeZone: string): LocalTime {
  const clock = clockAt(time, timeZone)
  return { year: clock.getUTCFullYear(), month: clock.getUTCMonth() + 1, day: clock.getUTCDate(), hour: clock.getUTCHours() }
}

/**
 * The instant of a local time. An hour that clocks show twice is the first; an hour that they skip is as much later as they skip.
 * (`Temporal` calls this "compatible".)
 */
export function instantOf ({ year, month, day, hour }: LocalTime, timeZone: string): Date {
  const local = Date.UTC(year, month - 1, day, hour)
  const before = offsetAt(local - dayMs, timeZone)
  const after = offsetAt(local + dayMs, timeZone)
  const candidates = [local - before, local - after].filter(ms => ms + offsetAt(ms, timeZone) === local)
  return new Date(candidates.length === 0 ? local - before : Math.min(...candidates))
}

/** The day that calendars show at a time: YYYY-MM-DD. */
export const dayAt = (time: Date, timeZone: string): string => dayOf(clockAt(time, timeZone))

/** The start of a day, or of the one that follows it by some days. @param day YYYY-MM-DD */
export function startOfDay (day: string, timeZone: string, later = 0): Date {
  const date = new Date(Date.parse(`${day}T00:00:00Z`) + later * dayMs)
  return instantOf({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), hour: 0 }, timeZone)
}
