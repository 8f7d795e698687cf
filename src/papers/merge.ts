import type { PaperRecord } from '../../schemas/paper.js'
import { withIdsOf } from './authors.js'
import { versionInDoi } from './doi-versions.js'
import { indexUrlOf, referenceLabelOf } from './identity.js'
import { workKindsOf } from './publication-kinds.js'
import { withBothRetractions, withRetraction } from './retractions.js'
import { isFromJournalFeed, isPreprint, publishersDoi, versionless } from './same-work.js'
import { filePrecedence, isPreprintServer, precedenceOf } from './source-traits.js'

/** A shorter abstract is replaced by one `minLengthRatio` times as long. */
const [shortAbstractLength, minLengthRatio] = [300, 2]
/**
 * Merges two records of one work. The source with the higher precedence wins; between files of two formats the older record,
 * otherwise the newer one. Each fills the other's gaps.
 */
export function merge (older: PaperRecord, newer: PaperRecord): PaperRecord {
  const [better, other] = isBetter(newer, older) ? [newer, older] : [older, newer]
  const named = better.authors.length === 0 || (areAuthorsCut(better) && other.authors.length > better.authors.length) ? other : better
  const merged: PaperRecord = {
    title: better.title,
    abstract: saysMore(other.abstract, better.abstract) ? other.abstract : better.abstract,
    authors: withIdsOf(named.authors, named === better ? other.authors : better.authors),
    published_date: publishedDate(better, other),
    url: better.url ?? other.url,
    pdf_url: better.pdf_url ?? other.pdf_url,
    doi: publishersDoi(better) ?? publishersDoi(other) ?? better.doi ?? other.doi,
    venue_name: moreSpecificVenue(better.venue_name, other.venue_name),
    external_ids: { ...stated(other.external_ids), ...stated(better.external_ids) },
    source: better.source,
    source_paper_id: better.source_paper_id ?? (better.source.name === other.source.name ? other.source_paper_id : null),
    metadata: withRetraction({ source: better.source, metadata: mergedMetadata(better, other, named) }, older, newer)
  }
  const reference_label = newer.reference_label ?? referenceLabelOf(merged)
  const index_url = newer.index_url ?? indexUrlOf(merged)
  return { ...merged, ...(reference_label === null ? {} : { reference_label }), ...(index_url === null ? {} : { index_url }) }
}

/** Merges two stored papers that turned out to be one work: as two records of it, but neither takes back a retraction of the other. */
export function mergeStored (one: PaperRecord, other: PaperRecord): PaperRecord {
  const merged = merge(one, other)
  return { ...merged, metadata: withBothRetractions(merged, one, other) }
}

/**
 * Fills the gaps of an account's own record with what a source states, without changing what it has. A record of a journal feed gives way
 * to better sources and keeps its origin.
 */
export function complete (own: PaperRecord, record: PaperRecord): PaperRecord {
  const { source, source_paper_id } = own
  if (isFromJournalFeed(own)) {
    const merged = merge(own, record)
    return { ...merged, source, source_paper_id, metadata: withRetraction({ source, metadata: merged.metadata }, own, record) }
  }
  const named = own.authors.length > 0 ? own : record
  return {
    ...own,
    abstract: own.abstract ?? record.abstract,
    authors: own.authors.length > 0 ? withIdsOf(own.authors, record.authors) : record.authors,
    published_date: own.published_date ?? record.published_date,
    url: own.url ?? record.url,
    pdf_url: own.pdf_url ?? record.pdf_url,
    doi: own.doi ?? record.doi,
    venue_name: own.venue_name ?? record.venue_name,
    external_ids: { ...stated(record.external_ids), ...stated(own.external_ids) },
    metadata: withRetraction({ source, metadata: mergedMetadata(own, record, named) }, own, record)
  }
}

const areAuthorsCut = ({ metadata: { truncated } }: PaperRecord): boolean => truncated?.includes('authors') === true

/**
 * The better record's metadata, and what it lacks. Authors are cut if those of the record whose list is kept are; a preprint that was
 * published is none.
 */
function mergedMetadata (better: PaperRecord, other: PaperRecord, named: PaperRecord): PaperRecord['metadata'] {
  const { truncated = [], preprint, ...metadata } = { ...other.metadata, ...better.metadata }
  const cut = [...truncated.filter(field => field !== 'authors'), ...(areAuthorsCut(named) ? ['authors'] : [])]
  return {
    ...metadata,
    ...(preprint === undefined || isStatedPublished(better, other) ? {} : { preprint }),
    ...(cut.length === 0 ? {} : { truncated: cut })
  }
}

/** A journal is more specific than a preprint server. */
const moreSpecificVenue = (venue: string | null, other: string | null): string | null =>
  venue !== null && other !== null && isPreprintServer(venue) && !isPreprintServer(other) ? other : venue ?? other

function isBetter (newer: PaperRecord, older: PaperRecord): boolean {
  const [one, other] = [precedenceOf(newer.source.name), precedenceOf(older.source.name)]
  if (one !== other) return one > other
  // Formats express the same thing differently: importing files of two formats in turn would otherwise change the paper each time.
  if (one === filePrecedence && newer.source.name !== older.source.name) return false
  // Versions of a preprint may arrive in any order.
  const [version, before] = [versionOf(newer), versionOf(older)]
  return !(newer.source.name === older.source.name && version !== undefined && before !== undefined && version < before)
}

const versionOf = ({ doi, metadata: { version } }: PaperRecord) => typeof version === 'number' ? version : versionInDoi(doi)

/**
 * Whether a record states that the work which another one calls a preprint is published: it is of a kind that preprints are not, or its
 * source no longer calls it one.
 */
const isStatedPublished = (better: PaperRecord, other: PaperRecord): boolean =>
  (better.metadata.publication_types ?? []).length > 0 && !isPreprint(better) &&
  (workKindsOf(better).length > 0 || better.source.name === other.source.name)

const saysMore = (text: string | null, than: string | null) =>
  text !== null && (than === null || (than.length < shortAbstractLength && text.length >= than.length * minLengthRatio))

/** The better record's date; for versions of a preprint, the first one, since some servers give each version a date. */
function publishedDate (better: PaperRecord, other: PaperRecord): string | null {
  const [date, otherDate] = [better.published_date, other.published_date]
  const areVersions = isPreprint(better) && isPreprint(other) && better.doi !== null && versionless(better.doi) === versionless(other.doi)
  const differ = date !== null && otherDate !== null && moreExact(date, otherDate) === date && moreExact(otherDate, date) === otherDate
  return areVersions && differ && otherDate < date ? otherDate : moreExact(date, otherDate)
}

/** Prefers a full date to one within which it lies, since a date that is known only to the month or year is stored as its first day. */
function moreExact (date: string | null, other: string | null): string | null {
  if (date === null || other === null) return date ?? other
  const coarse = date.endsWith('-01-01') ? date.slice(0, 4) : date.endsWith('-01') ? date.slice(0, 7) : date
  return other.startsWith(coarse) ? other : date
}

const stated = (ids: PaperRecord['external_ids']) =>
  Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null && id !== undefined))
