import { dayMs } from './durations.js'

/* Days, weeks and minutes in UTC. A day is written YYYY-MM-DD. */

/** The day of a time. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** The day that follows another by some days, or precedes it by a negative number of days. */
export const dayAfter = (day: string, days = 1): string => dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs))

/** Days from one day to a later one. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** The start of a time's week: Monday, 00:00. */
export function mondayOf (time: Date): Date {
  const midnight = Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate())
  return new Date(midnight - ((time.getUTCDay() + 6) % 7) * dayMs)
}

/** A time for people, as in "2027-01-01 08:00 UTC". */
export const shownTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
