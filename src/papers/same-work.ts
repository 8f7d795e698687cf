import { isDeepStrictEqual } from 'node:util'
import type { ExternalIds, PaperRecord } from '../../schemas/paper.js'
import { versionlessDoi } from './doi-versions.js'
import {
  isIdentifiedByTitle, isOneFamily, isSpecificTitle, nameReadings, normalizedTitle, type NameReading, withoutUmlauts
} from './identity.js'
import { describedBy } from './paper-row.js'
import { differsInKind, hasPreprintType, isTalkAndArticle, workKindsOf } from './publication-kinds.js'
import { differsInJournal, differsInPlace, isInOneVenue, isOnProceedingsPage, isOnSamePage } from './same-place.js'
import { differInSigns } from './title-signs.js'
import { hasOnlyPreprints, isJournalFeed, isPreprintServer } from './source-traits.js'

/* Whether two records describe one work. */

/** Authors that are compared; sources list those of large groups differently. */
const maxComparedAuthors = 20

/** Whether a record came from a journal feed, whose address a person chose: its writer may state anything about any work. */
export const isFromJournalFeed = ({ source }: Pick<PaperRecord, 'source'>): boolean => isJournalFeed(source.name)

/** Identity of a work. */
export type Identified = Pick<PaperRecord, 'doi'> & { external_ids: Partial<Omit<ExternalIds, 'doi'>> }

/** Whether two records state different identifiers of one kind, and so describe two works whatever their titles say. */
export const contradicts = (one: Identified, other: Identified): boolean =>
  differsInDoi(one, other) || (['arxiv', 'pmid', 'pmcid'] as const).some(kind => differ(one.external_ids[kind], other.external_ids[kind]))

/** Whether two records state DOIs that are not versions of one. */
export const differsInDoi = (one: Identified, other: Identified): boolean =>
  differ(versionless(publishersDoi(one)), versionless(publishersDoi(other)))

const differ = (a: string | null | undefined, b: string | null | undefined) => a != null && b != null && a !== b

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
  const isOneEntry = haveOneEntry(one, other)
  const isListedTwice = one.source.name === other.source.name && differ(one.source_paper_id, other.source_paper_id)
  if (contradicts(one, other) || (isListedTwice && !isOneEntry)) return false
  if (isEqualRecord(one, isOneEntry ? inFeedOf(one, other) : other)) return true
  return (isIdentifiedByTitle(one) || isOneEntry) && isPreprint(one) === isPreprint(other) && !differsOtherwise(one, other) &&
    ((isSpecificTitle(one.title) && isSpecificTitle(other.title)) || isSamePlace(one, other))
}

/**
 * Whether two records of journal feeds have one address. The feeds of a journal list its papers twice, as does a feed under another
 * address, of which the ids of its entries are made.
 */
const haveOneEntry = (one: PaperRecord, other: PaperRecord): boolean =>
  isFromJournalFeed(one) && isFromJournalFeed(other) && one.url !== null && one.url === other.url

/** A record as the feed of another one would state it. */
const inFeedOf = ({ source_paper_id, metadata: { feed } }: PaperRecord, record: PaperRecord): PaperRecord =>
  ({ ...record, source_paper_id, metadata: feed === undefined ? record.metadata : { ...record.metadata, feed } })

/** Whether records whose DOIs are versions of one are two works: by other identifiers, or as preprint and published form. */
export const differsBesidesVersion = (one: PaperRecord, other: PaperRecord): boolean =>
  contradicts(one, other) || (isPreprint(one) !== isPreprint(other) && [one, other].some(each => workKindsOf(each).includes('article')))

/** Whether place of publication, kind, authors or signs tell two records of equal titles apart, as far as both state them. */
const differsOtherwise = (one: PaperRecord, other: PaperRecord): boolean =>
  differInSigns(one.title, other.title) || differsInPlace(one.metadata, other.metadata) ||
  (differsInKind(one, other) && !(isTalkAndArticle(one, other) && isOnProceedingsPage(one, other))) ||
  differsInJournal(one, other) || differsInAuthors(one, other)

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

/** Whether two lists have an author after the first in common, or only one author each. */
export function haveFurtherAuthor (these: PaperRecord['authors'], those: PaperRecord['authors']): boolean {
  const [{ families }, { families: others }] = [readAuthors(these), readAuthors(those)]
  return families.size === 0 ? these.length === 1 && those.length === 1 : [...families].some(family => others.has(family))
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

/** Whether two records have equal descriptions. */
export const isEqualRecord = (one: PaperRecord, other: PaperRecord): boolean =>
  one === other || isDeepStrictEqual(describedBy(one), describedBy(other))

/** A DOI that all versions of a preprint have in common. */
export const versionless = (doi: string | null): string | null => doi === null ? null : versionlessDoi(doi)

/** The publisher's DOI. arXiv derives a DOI from each of its ids, which does not contradict a journal's DOI. */
export function publishersDoi ({ doi, external_ids }: Identified): string | null {
  return external_ids.arxiv != null && doi?.startsWith('10.48550/') === true ? null : doi
}

/** Whether a record is of a preprint, as it or its source says. */
export const isPreprint = (record: PaperRecord): boolean =>
  record.metadata.preprint === true || hasOnlyPreprints(record.source.name) || isPreprintServer(record.venue_name ?? '') ||
  hasPreprintType(record)
