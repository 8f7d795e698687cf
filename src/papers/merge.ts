import { isDeepStrictEqual } from 'node:util'
import type { ExternalIds, PaperRecord } from '../../schemas/paper.js'
import { withIdsOf } from './authors.js'
import { versionInDoi, versionlessDoi } from './identifiers.js'
import {
  canBeOneJournal, indexUrlOf, isIdentifiedByTitle, isOneFamily, isSpecificTitle, nameReadings, normalizedTitle, type NameReading,
  referenceLabelOf, withoutUmlauts
} from './identity.js'
import { describedBy } from './paper-row.js'
import { differsInKind, hasPreprintType, workKindsOf } from './publication-kinds.js'
import { withBothRetractions, withRetraction } from './retractions.js'
import { filePrecedence, hasOnlyPreprints, isJournalFeed, isPreprintServer, precedenceOf } from './source-traits.js'

/** A shorter abstract is replaced by one `minLengthRatio` times as long. */
const [shortAbstractLength, minLengthRatio] = [300, 2]
/** Authors that are compared; sources list those of large groups differently. */
const maxComparedAuthors = 20

/** Whether a record came from a journal feed, whose address a person chose: its writer may state anything about any work. */
export const isFromJournalFeed = ({ source }: Pick<PaperRecord, 'source'>): boolean => isJournalFeed(source.name)

/** Identity of a work. */
export type Identified = Pick<PaperRecord, 'doi'> & { external_ids: Partial<Omit<ExternalIds, 'doi'>> }

/** Whether two records state different identifiers of one kind, and so describe two works whatever their titles say. */
export function contradicts (one: Identified, other: Identified): boolean {
  const differ = (a: string | null | undefined, b: string | null | undefined) => a != null && b != null && a !== b
  return (
    differ(versionless(publishersDoi(one)), versionless(publishersDoi(other))) ||
    (['arxiv', 'pmid', 'pmcid'] as const).some(kind => differ(one.external_ids[kind], other.external_ids[kind]))
  )
}

/**
 * Whether two records of equal title key, and no identifier in common, are one work: they state title, first author and year, or say
 * exactly the same, as a record that is ingested again does. One source does not list a work twice. Records of equal titles can still be
 * of two works: by people of one family name, in two issues of a journal, the abstract of a talk and the paper on it, a preprint and the
 * article, or editorials in two journals.
 */
export const isSameWork = (one: PaperRecord, other: PaperRecord): boolean =>
  isOneWork(one, other, (one, other) => isInOneVenue(one, other) || isOnSamePage(one, other))

/** The same for records that no person has checked: a title that is not specific must stand on the same page. */
export const isSameUncheckedWork = (one: PaperRecord, other: PaperRecord): boolean => isOneWork(one, other, isOnSamePage)

/** @param isSamePlace whether the places of two records with a title that is not specific show that they are one work */
function isOneWork (one: PaperRecord, other: PaperRecord, isSamePlace: (one: PaperRecord, other: PaperRecord) => boolean): boolean {
  const isListedTwice =
    one.source.name === other.source.name &&
    one.source_paper_id !== null &&
    other.source_paper_id !== null &&
    one.source_paper_id !== other.source_paper_id
  if (contradicts(one, other) || isListedTwice) return false
  if (isEqualRecord(one, other)) return true
  return isIdentifiedByTitle(one) && isPreprint(one) === isPreprint(other) && !differsOtherwise(one, other) &&
    ((isSpecificTitle(one.title) && isSpecificTitle(other.title)) || isSamePlace(one, other))
}

/** Whether both state one journal or book, or neither states any. */
const isInOneVenue = ({ venue_name: venue }: PaperRecord, { venue_name: other }: PaperRecord): boolean =>
  venue === null || other === null ? venue === other : canBeOneJournal(venue, other)

/** Whether records whose DOIs are versions of one are two works: by other identifiers, or as preprint and published form. */
export const differsBesidesVersion = (one: PaperRecord, other: PaperRecord): boolean =>
  contradicts(one, other) || (isPreprint(one) !== isPreprint(other) && [one, other].some(each => workKindsOf(each).includes('article')))

/** Whether place of publication, kind or authors tell two records of equal titles apart, as far as both state them. */
const differsOtherwise = (one: PaperRecord, other: PaperRecord): boolean =>
  differsInPlace(one.metadata, other.metadata) || differsInKind(one, other) || differsInAuthors(one, other)

/** Authors as they are compared. */
interface ReadAuthors {
  /** Readings of the first one's name; none without authors. */
  first: readonly NameReading[]
  /** Family names of those after the first, as they are likely read. */
  families: ReadonlySet<string>
  /** All readings of their names, by what spellings of a family name have in common. */
  readings: ReadonlyMap<string, readonly NameReading[]>
}

/** Lists of authors are compared with those of all papers of their title, and never changed in place. */
const knownAuthors = new WeakMap<PaperRecord['authors'], ReadAuthors>()

function readAuthors (authors: PaperRecord['authors']): ReadAuthors {
  const known = knownAuthors.get(authors)
  if (known !== undefined) return known
  const [first = [], ...others] = authors.slice(0, maxComparedAuthors).map(({ name }) => nameReadings(name))
  const readings = new Map<string, NameReading[]>()
  for (const reading of others.flat()) {
    const spelling = withoutUmlauts(reading.family)
    readings.set(spelling, [...readings.get(spelling) ?? [], reading])
  }
  const read = { first, families: new Set(others.map(([likely]) => likely!.family)), readings }
  knownAuthors.set(authors, read)
  return read
}

/** Whether the first authors are other people, or the authors after them have no name in common. */
function differsInAuthors ({ authors: these }: PaperRecord, { authors: those }: PaperRecord): boolean {
  if (these.length === 0 || those.length === 0) return false
  const [mine, theirs] = [readAuthors(these), readAuthors(those)]
  if (!haveOnePerson(mine.first, theirs.first)) return true
  if (mine.families.size === 0 || theirs.families.size === 0) return false
  if ([...mine.families].some(family => theirs.families.has(family))) return false
  // Where family names differ, one may have been taken for a given name.
  return ![...mine.readings].some(([spelling, readings]) => haveOnePerson(readings, theirs.readings.get(spelling) ?? []))
}

const haveOnePerson = (these: readonly NameReading[], those: readonly NameReading[]): boolean =>
  these.some(one => those.some(other => canBeOnePerson(one, other)))

/** At most this share of the words of two titles is common to both if they are of two works. */
const maxSharedWords = 0.5

/**
 * Whether two records of one DOI are plainly of two works: abstracts of a meeting, and chapters, that databases export with the DOI of the
 * supplement or the book. They have no author and few words of the title in common. In two scripts neither can be compared.
 */
export function isPlainlyOther (one: PaperRecord, other: PaperRecord): boolean {
  // Most records of one DOI say the same title, which is compared fastest.
  if (one.title === other.title) return false
  const [words, otherWords] = [wordsOf(one), wordsOf(other)]
  const shared = [...words].filter(word => otherWords.has(word)).length
  if (shared > maxSharedWords * Math.min(words.size, otherWords.size)) return false
  const [families, otherFamilies] = [familiesOf(one), familiesOf(other)]
  return families.size > 0 && otherFamilies.size > 0 && isLatin(one) && isLatin(other) &&
    ![...families].some(family => otherFamilies.has(family))
}

const wordsOf = ({ title }: PaperRecord): Set<string> => new Set(normalizedTitle(title).split(' '))

const familiesOf = ({ authors }: PaperRecord): Set<string> =>
  new Set(authors.slice(0, maxComparedAuthors).flatMap(({ name }) => nameReadings(name).map(({ family }) => family)))

const isLatin = ({ title, authors }: PaperRecord): boolean =>
  [title, ...authors.slice(0, maxComparedAuthors).map(({ name }) => name)].every(text => !otherLetters.test(text))

const otherLetters = /(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Common}|\p{Script=Inherited})\p{L}/u

/** "María Núñez" may be "Ana María Núñez", and "J Smith" may be "John Q Smith". */
function canBeOnePerson (one: NameReading, other: NameReading): boolean {
  const [fewer, more] = one.initials.length < other.initials.length ? [one.initials, other.initials] : [other.initials, one.initials]
  return isOneFamily(one.family, other.family) && fewer.every(initial => more.includes(initial))
}

/**
 * Whether volumes, issues or first pages differ. Only plain numbers are compared: supplements and article numbers are written in many ways.
 */
function differsInPlace (one: PaperRecord['metadata'], other: PaperRecord['metadata']): boolean {
  const differ = (name: 'volume' | 'issue' | 'pages') => {
    const [a, b] = [firstNumber(one[name]), firstNumber(other[name])]
    return a !== undefined && b !== undefined && a !== b
  }
  return differ('volume') || (hasEqualNumber('volume', one, other) && (differ('issue') || differ('pages')))
}

/** In journals that number the pages of each issue from 1, columns such as "Editorial" return on a page up to this one. */
const maxRecurringPage = 200

/** Whether both begin on the same page of one issue; without issues or journals, of one volume on a page that does not recur. */
function isOnSamePage (one: PaperRecord, other: PaperRecord): boolean {
  const [these, those] = [one.metadata, other.metadata]
  if (!hasEqualNumber('pages', these, those) || !hasEqualNumber('volume', these, those)) return false
  const [journal, otherJournal] = [one.venue_name, other.venue_name]
  const areJournalsKnown = journal !== null && otherJournal !== null
  if (areJournalsKnown && !canBeOneJournal(journal, otherJournal)) return false
  const isSameIssue = hasEqualNumber('issue', these, those)
  if (isSameIssue && areJournalsKnown) return true
  const isWithoutIssue = [these, those].every(({ issue = '' }) => issue.trim() === '')
  return (isSameIssue || isWithoutIssue) && Number(firstNumber(these.pages)) > maxRecurringPage
}

/** Whether both state the same plain number. */
function hasEqualNumber (name: 'volume' | 'issue' | 'pages', one: PaperRecord['metadata'], other: PaperRecord['metadata']): boolean {
  const number = firstNumber(one[name])
  return number !== undefined && number === firstNumber(other[name])
}

/** The plain number that a volume or a range of pages begins with. */
const firstNumber = (value: unknown): string | undefined => typeof value === 'string'
  ? /^(?:vol(?:ume)?\.?\s*)?0*(\d{1,9})(?:\s*[-–—]+\s*\d+)?$/i.exec(value.trim())?.[1]
  : undefined

/** Whether two records have equal descriptions. */
export const isEqualRecord = (one: PaperRecord, other: PaperRecord): boolean =>
  one === other || isDeepStrictEqual(describedBy(one), describedBy(other))

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

const versionless = (doi: string | null) => doi === null ? null : versionlessDoi(doi)

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
  const [version, before] = [versionOf(newer), versionOf(older)]
  return !(newer.source.name === older.source.name && version !== undefined && before !== undefined && version < before)
}

const versionOf = ({ doi, metadata: { version } }: PaperRecord) => typeof version === 'number' ? version : versionInDoi(doi)

const isPreprint = (record: PaperRecord) =>
  record.metadata.preprint === true || hasOnlyPreprints(record.source.name) || isPreprintServer(record.venue_name ?? '') ||
  hasPreprintType(record)

/**
 * Whether a record states that the work which another one calls a preprint is published: it is of a kind that preprints are not, or its
 * source no longer calls it one.
 */
const isStatedPublished = (better: PaperRecord, other: PaperRecord): boolean =>
  (better.metadata.publication_types ?? []).length > 0 && !isPreprint(better) &&
  (workKindsOf(better).length > 0 || better.source.name === other.source.name)

const saysMore = (text: string | null, than: string | null) =>
  text !== null && (than === null || (than.length < shortAbstractLength && text.length >= than.length * minLengthRatio))

/** The better record's date; the first one of versions of a preprint, each of which some servers date anew. */
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
