import type { PaperRecord } from '../../schemas/paper.js'
import { canBeOneJournal } from './identity.js'
import { workKindsOf } from './publication-kinds.js'

/* Whether two records name one place of publication: journal, volume, issue and first page. */

type Metadata = PaperRecord['metadata']
type Placed = Pick<PaperRecord, 'venue_name' | 'metadata'>

/** Whether both state one journal or book, or neither states any. Of a book in a series, some files state the publisher alone. */
export const isInOneVenue = (one: PaperRecord, other: PaperRecord): boolean =>
  isInOneJournal(one, other) || (one.venue_name === null && other.venue_name === null) ||
  isPublishersBook(one, other) || isPublishersBook(other, one)

/** Whether a record is of a book, and another has its publisher as its venue. */
function isPublishersBook (book: PaperRecord, { venue_name: venue }: Placed): boolean {
  const { publisher } = book.metadata
  return venue !== null && typeof publisher === 'string' && workKindsOf(book).includes('book') && canBeOneJournal(venue, publisher)
}

/** Whether both state one journal or book, by its name or its ISSN. */
export function isInOneJournal (one: Placed, other: Placed): boolean {
  const [journal, otherJournal] = [one.venue_name, other.venue_name]
  if (journal !== null && otherJournal !== null && canBeOneJournal(journal, otherJournal)) return true
  const others = issnsOf(other.metadata)
  return issnsOf(one.metadata).some(issn => others.includes(issn))
}

/** The ISSNs of a record's journal, which may be of any of its forms. Files may state anything in these fields. */
const issnsOf = ({ issn, issn_l, issns, issn_or_isbn }: Metadata): string[] =>
  [issn, issn_l, issns, issn_or_isbn].flat().slice(0, 10)
    .flatMap(value => typeof value === 'string' ? value.slice(0, 100).toUpperCase().match(/\b\d{4}-?\d{3}[\dX]\b/g) ?? [] : [])
    .map(issn => issn.replace('-', ''))

/** Whether both state journals whose names and ISSNs differ, and not one volume and page: some records name a journal as no other does. */
export function differsInJournal (one: Placed, other: Placed): boolean {
  if (one.venue_name === null || other.venue_name === null || isInOneJournal(one, other)) return false
  return issnsOf(one.metadata).length > 0 && issnsOf(other.metadata).length > 0 && !beginOnOnePage(one.metadata, other.metadata)
}

/**
 * Whether volumes, issues or first pages differ. Only plain numbers are compared: supplements and article numbers are written in many ways.
 */
export function differsInPlace (one: Metadata, other: Metadata): boolean {
  const differ = (name: 'volume' | 'issue' | 'pages') => {
    const [a, b] = [firstNumber(one[name]), firstNumber(other[name])]
    return a !== undefined && b !== undefined && a !== b
  }
  const canBeNumbered = canBeArticleNumber(one.pages, other.pages) || canBeArticleNumber(other.pages, one.pages)
  return differ('volume') || (hasEqualNumber('volume', one, other) && (differ('issue') || (differ('pages') && !canBeNumbered)))
}

/** Article numbers from here on are no pages of a volume whose articles begin at 1. Lower ones can be. */
const minArticleNumber = 1000

/** Whether pages that begin at 1, and a number above the last of them, can be of one article: some sources state the one or the other. */
function canBeArticleNumber (pages: unknown, number: unknown): boolean {
  if (typeof pages !== 'string' || typeof number !== 'string') return false
  const last = /^0*1\s*[-–—]+\s*(\d{1,9})$/.exec(pages.trim())?.[1]
  // OpenAlex states a number as the first and the last page.
  const article = /^(\d{1,9})(?:[-–—]\1)?$/.exec(number.trim())?.[1]
  return last !== undefined && article !== undefined && Number(article) > Math.max(Number(last), minArticleNumber - 1)
}

/** In journals that number the pages of each issue from 1, columns such as "Editorial" return on a page up to this one. */
const maxRecurringPage = 200

/** Whether both begin on the same page of one issue; without issues or journals, of one volume on a page that does not recur. */
export function isOnSamePage (one: Placed, other: Placed): boolean {
  if (!beginOnOnePage(one.metadata, other.metadata)) return false
  const isJournalKnown = isInOneJournal(one, other)
  if (!isJournalKnown && one.venue_name !== null && other.venue_name !== null) return false
  if (hasEqualNumber('issue', one.metadata, other.metadata) && isJournalKnown) return true
  return Number(/\d+/.exec(firstPage(one.metadata.pages)!)![0]) > maxRecurringPage
}

/** Whether both state one journal, and begin on the same page of a volume of it, whose issues do not differ. */
export const isOnJournalPage = (one: Placed, other: Placed): boolean =>
  isInOneJournal(one, other) && beginOnOnePage(one.metadata, other.metadata)

const proceedings = /\b(?:proceedings|proc|procedia|conference|conf|symposium|symp|workshops?|transactions)\b/i

/** Whether both are on one page of one series of proceedings, whose talks some sources call articles. */
export function isOnProceedingsPage (one: Placed, other: Placed): boolean {
  const [venue, otherVenue] = [one, other].map(({ venue_name }) => seriesOf(venue_name ?? ''))
  const page = firstPage(one.metadata.pages)
  return page !== undefined && page === firstPage(other.metadata.pages) &&
    proceedings.test(venue!) && proceedings.test(otherVenue!) &&
    (canBeOneJournal(venue!, otherVenue!) || isInOneJournal(one, other))
}

/** The name of a series of meetings, without year, number and a second name: "2022 44th Annual Meeting" is one of the annual meetings. */
const seriesOf = (venue: string): string =>
  venue.replace(/^\d{4}\s+/, '').replace(/^\d+(?:st|nd|rd|th)\s+/i, '').replace(/(?<=\p{Ll})\.\s[^]*$/u, '').replaceAll('&', 'and')

function beginOnOnePage (one: Metadata, other: Metadata): boolean {
  const page = firstPage(one.pages)
  if (page === undefined || page !== firstPage(other.pages) || !hasEqualNumber('volume', one, other)) return false
  const [issue, otherIssue] = [one, other].map(({ issue }) => typeof issue === 'string' ? issue.trim().toLowerCase() : '')
  return issue === '' || otherIssue === '' || issue === otherIssue || hasEqualNumber('issue', one, other)
}

/** The first page, with the letters of a supplement or an electronic article: "S139" and "e055123". */
function firstPage (pages: unknown): string | undefined {
  if (typeof pages !== 'string') return undefined
  const [, letters, number] = /^([a-z]{0,3})0*(\d{1,9})(?:\s*[-–—]+\s*[a-z]{0,3}\d+)?$/i.exec(pages.trim()) ?? []
  return number === undefined ? undefined : letters!.toLowerCase() + number
}

/** Whether both state the same plain number. */
function hasEqualNumber (name: 'volume' | 'issue' | 'pages', one: Metadata, other: Metadata): boolean {
  const number = firstNumber(one[name])
  return number !== undefined && number === firstNumber(other[name])
}

/** The plain number that a volume or a range of pages begins with. */
const firstNumber = (value: unknown): string | undefined => typeof value === 'string'
  ? /^(?:vol(?:ume)?\.?\s*)?0*(\d{1,9})(?:\s*[-–—]+\s*\d+)?$/i.exec(value.trim())?.[1]
  : undefined
