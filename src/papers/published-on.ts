import { dateParts } from './citations/reference.js'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Formats a publication date to the precision that its source stated.
 * @param written the date as the source wrote it, if known: without it, the first of a month or year is taken for a missing part
 */
export function publishedOn (date: string, written?: unknown): string {
  const { year, month, day } = dateParts(date, typeof written === 'string' ? written : undefined)
  if (month === undefined) return year
  return `${day === undefined ? '' : `${Number(day)} `}${months[Number(month) - 1]} ${year}`
}
