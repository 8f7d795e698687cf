import { dayMs } from '../../schemas/durations.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { isSpecificTitle } from './identity.js'
import { isInOneJournal, isOnJournalPage } from './same-place.js'
import { haveFurtherAuthor } from './same-work.js'

/** Between the appearance of a paper online and in print. The yearly reports of a series are further apart. */
const maxDays = 183

/**
 * Whether two records of equal title and first author, and of years that follow each other, can be of one paper that appeared online
 * before it was printed: on one page of a journal, or in one journal within half a year, by the same people. The later one states the
 * volume: a talk on which an article follows has a volume of its own, and preprints have none.
 */
export function isOnlineFirst (one: PaperRecord, other: PaperRecord): boolean {
  if (!isSpecificTitle(one.title) || !isSpecificTitle(other.title) || !isInOneJournal(one, other)) return false
  if (isOnJournalPage(one, other)) return true
  const [earlier, later] = (one.published_date ?? '') <= (other.published_date ?? '') ? [one, other] : [other, one]
  const [volume, printed] = [earlier.metadata.volume, later.metadata.volume]
  return printed !== undefined && (volume === undefined || volume === printed) &&
    leastDaysBetween(earlier.published_date, later.published_date) <= maxDays && haveFurtherAuthor(one.authors, other.authors)
}

/** The least number of days between two dates, of which each may be a month. A year alone tells nothing. */
function leastDaysBetween (earlier: string | null, later: string | null): number {
  if (earlier === null || later === null || earlier.length === 4 || later.length === 4) return Infinity
  const [from, to] = [earlier + '-28'.slice(earlier.length - 7), later + '-01'.slice(later.length - 7)]
  return (Date.parse(to) - Date.parse(from)) / dayMs
}
