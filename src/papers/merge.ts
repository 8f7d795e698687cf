import { isDeepStrictEqual } from 'node:util'
import { tokenize } from '../search/tokenizer.js'
import type { ExternalIds, PaperRecord } from '../../schemas/paper.js'
import { withIdsOf } from './authors.js'
import { indexUrlOf, isIdentifiedByTitle, referenceLabelOf } from './identity.js'
import { describedBy } from './paper-row.js'
import { filePrecedence, hasOnlyPreprints, isJournalFeed, precedenceOf } from './source-traits.js'

/** A shorter abstract is replaced by one `minLengthRatio` times as long. */
const [shortAbstractLength, minLengthRatio] = [300, 2]
/** Many works share a title with fewer words, such as "Reply" or "Editorial". */
const minTitleWords = 4

/** Whether a record came from a journal feed, whose address a person chose: its writer may state anything about any work. */
export const isFromJournalFeed = ({ source }: Pick<PaperRecord, 'source'>): boolean => isJournalFeed(source.name)

/** Identity of a work. */
export type Identified = Pick<PaperRecord, 'doi'> & { external_ids: Partial<Omit<ExternalIds, 'doi'>> }

/** Whether two records state different identifiers of one kind, and so describe two works whatever their titles say. */
export function contradicts (one: Identified, other: Identified): boolean {
  const differ = (a: string | null | undefined, b: string | null | undefined) => a != null && b != null && a !== b
  return (
    differ(publishersDoi(one), publishersDoi(other)) ||
    (['arxiv', 'pmid', 'pmcid'] as const).some(kind => differ(one.external_ids[kind], other.external_ids[kind]))
  )
}

/**
 * Whether two records of equal title key, and no identifier in common, are one work: they state title, first author and year, or say
 * exactly the same, as a record that is ingested again does. One source does not list a work twice.
 */
export function isSameWork (one: PaperRecord, other: PaperRecord): boolean {
  const isListedTwice =
    one.source.name === other.source.name &&
    one.source_paper_id !== null &&
    other.source_paper_id !== null &&
    one.source_paper_id !== other.source_paper_id
  return !contradicts(one, other) && !isListedTwice && (isIdentifiedByTitle(one) || isEqualRecord(one, other))
}

/**
 * The same for records that no person has checked: the title must also be specific, and neither record a preprint of the other, which is
 * another work.
 */
export const isSameUncheckedWork = (one: PaperRecord, other: PaperRecord): boolean =>
  isSameWork(one, other) &&
  (isEqualRecord(one, other) || (isPreprint(one) === isPreprint(other) && tokenize(one.title).length >= minTitleWords))

/** Whether two records have equal descriptions. */
export const isEqualRecord = (one: PaperRecord, other: PaperRecord): boolean => isDeepStrictEqual(describedBy(one), describedBy(other))

/**
 * Merges two records of one work. The source with the higher precedence wins; between files of two formats the older record,
 * otherwise the newer one. Each fills the other's gaps.
 */
export function merge (older: PaperRecord, newer: PaperRecord): PaperRecord {
  const [better, other] = isBetter(newer, older) ? [newer, older] : [older, newer]
  const merged: PaperRecord = {
    title: better.title,
    abstract: saysMore(other.abstract, better.abstract) ? other.abstract : better.abstract,
    authors: better.authors.length > 0 ? withIdsOf(better.authors, other.authors) : other.authors,
    published_date: moreExact(better.published_date, other.published_date),
    url: better.url ?? other.url,
    pdf_url: better.pdf_url ?? other.pdf_url,
    doi: publishersDoi(better) ?? publishersDoi(other) ?? better.doi ?? other.doi,
    // A journal is more specific than the preprint server.
    venue_name: better.venue_name === 'arXiv' ? other.venue_name ?? better.venue_name : better.venue_name ?? other.venue_name,
    external_ids: { ...stated(other.external_ids), ...stated(better.external_ids) },
    source: better.source,
    source_paper_id: better.source_paper_id ?? (better.source.name === other.source.name ? other.source_paper_id : null),
    metadata: { ...other.metadata, ...better.metadata }
  }
  const reference_label = newer.reference_label ?? referenceLabelOf(merged)
  const index_url = newer.index_url ?? indexUrlOf(merged)
  return { ...merged, ...(reference_label === null ? {} : { reference_label }), ...(index_url === null ? {} : { index_url }) }
}

/**
 * Fills the gaps of an account's own record with what a source states, without changing what it has. A record of a journal feed gives way
 * to better sources and keeps its origin.
 */
export function complete (own: PaperRecord, record: PaperRecord): PaperRecord {
  if (isFromJournalFeed(own)) return { ...merge(own, record), source: own.source, source_paper_id: own.source_paper_id }
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
    metadata: { ...record.metadata, ...own.metadata }
  }
}

/** The publisher's DOI. arXiv derives a DOI from each of its ids, which does not contradict a journal's DOI. */
function publishersDoi ({ doi, external_ids }: Identified): string | null {
  return external_ids.arxiv != null && doi?.startsWith('10.48550/') === true ? null : doi
}

function isBetter (newer: PaperRecord, older: PaperRecord): boolean {
  const [one, other] = [precedenceOf(newer.source.name), precedenceOf(older.source.name)]
  if (one !== other) return one > other
  // Formats express the same thing differently: importing files of two formats in turn would otherwise change the paper each time.
  if (one === filePrecedence && newer.source.name !== older.source.name) return false
  // Versions of a preprint may arrive in any order.
  const [version, before] = [newer.metadata.version, older.metadata.version]
  return !(newer.source.name === older.source.name && typeof version === 'number' && typeof before === 'number' && version < before)
}

const isPreprint = ({ source, metadata }: PaperRecord) => metadata.preprint === true || hasOnlyPreprints(source.name)

const saysMore = (text: string | null, than: string | null) =>
  text !== null && (than === null || (than.length < shortAbstractLength && text.length >= than.length * minLengthRatio))

/** Prefers a full date to one within which it lies, since a date that is known only to the month or year is stored as its first day. */
function moreExact (date: string | null, other: string | null): string | null {
  if (date === null || other === null) return date ?? other
  const coarse = date.endsWith('-01-01') ? date.slice(0, 4) : date.endsWith('-01') ? date.slice(0, 7) : date
  return other.startsWith(coarse) ? other : date
}

const stated = (ids: PaperRecord['external_ids']) =>
  Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null && id !== undefined))
