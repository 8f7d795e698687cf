const months: Readonly<Record<string, number>> = {
  jan: 1, feb: 2, mar: 3, apr: 4, may: 5, jun: 6, jul: 7, aug: 8, sep: 9, oct: 10, nov: 11, dec: 12
}
/** First month of a season. */
const seasons: Readonly<Record<string, number>> = { winter: 1, spring: 4, summer: 7, autumn: 10, fall: 10 }
/** First month of a season that is written as a month number from 21 to 24. @see https://www.loc.gov/standards/datetime/ */
const seasonNumbers: Readonly<Record<number, number>> = { 21: 4, 22: 7, 23: 10, 24: 1 }

/**
 * Parses a date as references write it: "2019", "2019-04", "20190405", "2019 Apr 5", "2004/02/15/", "5 April 2019", "Spring 2011",
 * "1998 Dec-1999 Jan" (its start). A missing month or day becomes the first.
 *
 * @returns YYYY-MM-DD; null without a plausible year
 */
export function readDate (written: string | undefined | null): string | null {
  const text = written?.trim() ?? ''
  // Before the common era.
  if (/^-\d{4}/.test(text)) return null
  const numeric = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?![\d])/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  if (numeric !== null) return dateOf(Number(numeric[1]), seasonNumbers[Number(numeric[2])] ?? Number(numeric[2]), Number(numeric[3] ?? 1))
  const year = /(?<!\d)(\d{4})(?!\d)/.exec(text)?.[1]
  if (year === undefined) return null
  const month = monthIn(text)
  const day = month === undefined ? undefined : /(?<![\d-])(\d{1,2})(?!\d)/.exec(text.replace(year, ' '))?.[1]
  return dateOf(Number(year), month ?? 1, Number(day ?? 1))
}

/** Parses a month from its name, an abbreviation, a season or digits. */
export function monthIn (text: string): number | undefined {
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
    const month = months[word.slice(0, 3)] ?? seasons[word]
    if (month !== undefined && word.length >= 3) return month
  }
  return undefined
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
