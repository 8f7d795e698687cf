import { isObject } from '../../../schemas/json-object.js'
import { dateOf } from '../../papers/stated-date.js'

/** The first date of a value in the form of CSL-JSON, which Crossref uses too: year, month and day as far as they are stated. */
export function datePartsIn (value: unknown): readonly unknown[] | undefined {
  const dates = isObject(value) ? value['date-parts'] : undefined
  const first: unknown = Array.isArray(dates) ? dates[0] : undefined
  return Array.isArray(first) && first.length > 0 ? first : undefined
}

/** A date from its parts as YYYY-MM-DD, with 01 for missing ones; null without a plausible year. */
export const dateOfParts = ([year, month, day]: readonly unknown[]): string | null =>
  dateOf(Number(year ?? Number.NaN), Number(month ?? 1), Number(day ?? 1))

/** The same without parts that are missing or impossible: YYYY-MM-DD, YYYY-MM or YYYY; null without a plausible year. */
export function partialDateOfParts (parts: readonly unknown[]): string | null {
  const date = dateOfParts(parts)
  const isStated = (at: number) => Number(parts[at]) === Number(date?.split('-')[at])
  return date?.slice(0, !isStated(1) ? 4 : !isStated(2) ? 7 : 10) ?? null
}
