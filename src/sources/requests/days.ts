import { dayMs } from '../../../schemas/durations.js'

/** Adds days to a date, YYYY-MM-DD. */
export const dayAfter = (date: string, days = 1): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** Days from one to the other. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** Splits a window into consecutive windows of at most this many days. */
export function * windows (from: string, to: string, days: number): Iterable<{ from: string, to: string }> {
  for (let at = from; at <= to; at = dayAfter(at, days)) {
    const end = dayAfter(at, days - 1)
    yield { from: at, to: end < to ? end : to }
  }
}
