import { normalForm } from '../../schemas/normal-form.js'

const months: Readonly<Record<string, number>> = {
  jan: 1, feb: 2, mar: 3, apr: 4, may: 5, jun: 6, jul: 7, aug: 8, sep: 9, oct: 10, nov: 11, dec: 12
}
/** Names of months without accents in French, German, Spanish, Italian, Portuguese and Dutch that begin otherwise than in English. */
const foreignMonths: Readonly<Record<string, number>> = Object.fromEntries([
  'gennaio enero', 'fev fevr fevrier fevereiro', 'maerz mrz mrt maart', 'avr avril abr abril', 'mai maggio maio mei', 'juin giugno',
  'juil juillet luglio', 'aout agosto', 'settembre setembro', 'okt oktober ottobre outubro', '',
  'dez dezember dezembro dic dicembre diciembre'
].flatMap((names, at) => names.split(' ').filter(name => name !== '').map(name => [name, at + 1])))
/** First month of a season. */
const seasons: Readonly<Record<string, number>> = { winter: 1, spring: 4, summer: 7, autumn: 10, fall: 10 }
/** First month of a season that is written as a month number from 21 to 24. @see https://www.loc.gov/standards/datetime/ */
const seasonNumbers: Readonly<Record<number, number>> = { 21: 4, 22: 7, 23: 10, 24: 1 }

/** A date, in which missing parts are the first, and the smallest part that was stated. A season states the year. */
export interface StatedDate { date: string, precision: 'year' | 'month' | 'day' }

/**
 * Parses a date as references write it: "2019", "2019-04", "20190405", "2019 Apr 5", "2004/02/15/", "5 April 2019", "04/2019", "5.4.2019",
 * "5. Mai 2019", "Spring 2011", "1998 Dec-1999 Jan" (its start). Of "05/04/2019", which may be in April or in May, only the year is read.
 *
 * @returns null without a plausible year
 */
export function readStatedDate (written: string | undefined | null): StatedDate | null {
  const text = written?.trim() ?? ''
  // Before the common era.
  if (/^-\d{4}/.test(text)) return null
  const numeric = /^(\d{4})(?:[-/.]|\s?年\s?)(\d{1,2})(?:(?:[-/.]|\s?月\s?)(\d{1,2}))?(?!\d)/.exec(text) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? /^(\d{4}) (\d{1,2})(?: (\d{1,2}))?$/.exec(text)
  if (numeric !== null) return fromNumbers(numeric[1]!, numeric[2], numeric[3])
  const [, first, separator, second, lastYear] = /^(?:(\d{1,2})([/.-]))?(\d{1,2})[/.-](\d{4})$/.exec(text.replace(/\s/g, '')) ?? []
  if (lastYear !== undefined) return first === undefined ? fromNumbers(lastYear, second) : dayFirst(lastYear, first, second!, separator!)
  const year = /(?<!\d)(\d{4})(?!\d)/.exec(text)?.[1]
  if (year === undefined) return null
  const { month, isSeason } = monthOrSeasonIn(text)
  const day = month === undefined ? undefined : /(?<![\d-])(\d{1,2})(?!\d)/.exec(text.replace(year, ' '))?.[1]
  return stated(Number(year), month, isSeason ? undefined : Number(day), isSeason)
}

/** The same without the parts that were not stated: YYYY-MM-DD, YYYY-MM or YYYY, or null. A season is its first month, winter the year. */
export function readPartialDate (written: string | undefined | null): string | null {
  const { date, precision } = readStatedDate(written) ?? {}
  if (date === undefined) return null
  return precision === 'day' ? date : date.slice(0, precision === 'month' || !date.startsWith('-01', 4) ? 7 : 4)
}

/** The same without its precision: YYYY-MM-DD, or null. */
export const readDate = (written: string | undefined | null): string | null => readStatedDate(written)?.date ?? null

const fromNumbers = (year: string, month?: string, day?: string) => {
  const season = seasonNumbers[Number(month)]
  return stated(Number(year), season ?? Number(month), Number(day), season !== undefined)
}

/** Only dots always separate the day first. */
function dayFirst (year: string, first: string, second: string, separator: string): StatedDate | null {
  if (separator === '.' || Number(first) > 12 || first === second) return fromNumbers(year, second, first)
  return Number(second) > 12 ? fromNumbers(year, first, second) : fromNumbers(year)
}

function stated (year: number, month: number | undefined, day: number | undefined, isSeason: boolean): StatedDate | null {
  const date = dateOf(year, month ?? 1, day ?? 1)
  if (date === null) return null
  const isMonth = month !== undefined && month >= 1 && month <= 12
  const precision = !isMonth || isSeason ? 'year' : Number(date.slice(8)) === day ? 'day' : 'month'
  return { date, precision }
}

/** Parses a month from its name or an abbreviation, or the first month of a season. */
export const monthIn = (text: string): number | undefined => monthOrSeasonIn(text).month

function monthOrSeasonIn (text: string): { month: number | undefined, isSeason: boolean } {
  for (const [word] of normalForm(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase().matchAll(/[a-z]{3,}/g)) {
    const month = months[word.slice(0, 3)] ?? foreignMonths[word]
    if (month !== undefined) return { month, isSeason: false }
    if (seasons[word] !== undefined) return { month: seasons[word], isSeason: true }
  }
  return { month: undefined, isSeason: false }
}

/** Formats a date. An impossible month or day becomes the first; null without a year. */
export function dateOf (year: number, month: number, day: number): string | null {
  if (!Number.isInteger(year) || year < 1 || year > 9999) return null
  const monthThere = month >= 1 && month <= 12
  const lastDay = monthThere ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
  const dayThere = day >= 1 && day <= lastDay
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(monthThere ? month : 1)}-${two(dayThere ? day : 1)}`
}

/** A date that is known to the month or year alone, or an exact one that lies within it. @returns the exact one without the other */
export function dateWithin (date: string | null, precision: 'month' | 'year', exact: string | null): string | null {
  if (date === null || exact === null) return date ?? exact
  return exact.startsWith(date.slice(0, precision === 'month' ? 7 : 4)) ? exact : date
}
