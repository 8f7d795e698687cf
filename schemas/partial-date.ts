import { daysBetween } from './utc-time.js'

/* Dates to the precision that a source states: YYYY-MM-DD, YYYY-MM or YYYY. A partial date is a period. */

/** The first day of the period: YYYY-MM-DD. */
export const firstDayOf = (date: string): string => `${date}-01-01`.slice(0, 10)

/** The last day of the period: YYYY-MM-DD. */
export function lastDayOf (date: string): string {
  const [year, month = '12', day] = date.split('-')
  return `${year}-${month}-${day ?? new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()}`
}

/** Whether two dates can be the same: one is equal to the other, or less precise. */
export const areCompatible = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a)

/** Days between two periods; 0 if they overlap. */
export const daysApart = (a: string, b: string): number =>
  Math.max(0, daysBetween(lastDayOf(a), firstDayOf(b)), daysBetween(lastDayOf(b), firstDayOf(a)))
