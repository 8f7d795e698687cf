import { createHash } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import { LRUCache } from 'lru-cache'
import { normalForm } from '../../schemas/normal-form.js'
import { cjkCharacter } from '../../schemas/search-text.js'
import { fold, indexEntries, tokenize } from '../search/tokenizer.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { soughtTitles, titleLetters, titleSpellings } from './title-spellings.js'
import { arxivIn, doiIn, pmidIn } from './identifiers.js'
import { arxivAddress, doiAddress, pubmedAddress } from './paper-address.js'
import { hasOnlyPreprints } from './source-traits.js'

const maxSlugLength = 80

/** The title as part of an address: ASCII words joined by hyphens; "paper" if it has no word that ASCII can spell. */
export function slugOf (title: string): string {
  const slug = slugify(title.slice(0, 300), { decamelize: false })
  if (slug.length <= maxSlugLength) return slug || 'paper'
  return slug.slice(0, maxSlugLength).replace(/-[^-]*$/, '')
}

/** The identifiers that labels name. */
const labeled: Readonly<Record<string, (text: string) => string | null>> = { PMID: pmidIn, arXiv: arxivIn, DOI: doiIn }

/**
 * A stated label in the form of the derived ones; null if it has another form. Strangers state labels, and assistants see them outside of
 * quotations.
 */
export function knownLabel (stated: string | null | undefined): string | null {
  const [, index = '', id = ''] = /^(PMID|arXiv|DOI) (\S+)$/.exec(stated ?? '') ?? []
  const read = labeled[index]?.(id) ?? null
  return read === null ? null : `${index} ${read}`
}

type Labeled = Pick<PaperRecord, 'reference_label' | 'source' | 'external_ids' | 'doi'>

/**
 * The label by which people cite a record: the one that it states, else the arXiv id for the records of preprint servers, otherwise the
 * first of PMID, arXiv id and DOI that it has.
 */
export function referenceLabelOf ({ reference_label, source, external_ids: { pmid, arxiv }, doi }: Labeled): string | null {
  const stated = knownLabel(reference_label)
  if (stated !== null) return stated
  if (arxiv && (hasOnlyPreprints(source.name) || !pmid)) return `arXiv ${arxiv}`
  if (pmid) return `PMID ${pmid}`
  return doi ? `DOI ${doi}` : null
}

/** The record in the index that its label names. */
export function indexUrlOf ({ index_url, source, external_ids: { pmid, arxiv }, doi }: PaperRecord): string | null {
  if (index_url !== undefined) return index_url
  if (arxiv && (hasOnlyPreprints(source.name) || !pmid)) return arxivAddress(arxiv)
  if (pmid) return pubmedAddress(pmid)
  return doi ? doiAddress(doi) : null
}

/** The words of a title, without case, accents and punctuation. */
export const normalizedTitle = (title: string): string => tokenize(title).flatMap(indexEntries).join(' ')

/** Remembers what it read in the latest texts: a batch compares the same ones many times. */
function remember<T extends {}> (read: (text: string) => T): (text: string) => T {
  const known = new LRUCache<string, T>({ max: 500, memoMethod: read })
  return text => known.memo(text)
}

/** Titles of fewer words are shared by many works, such as "Reply" or "Editorial". */
const minTitleWords = 4
/** Titles that begin like these are shared by many works, also with a few words more, such as "Editorial: the year in review". */
const commonTitle = new RegExp(
  '^\\W*(?:(?:a )?(?:(?:guest )?editorial|(?:editor.?s? )?(?:notes?|message|word)|introduction|preface|foreword|welcome)|' +
    'from the editors?|errat(?:um|a)|corrigend(?:um|a)|corrections?|(?:author )?reply|response|letters?|book reviews?|in this issue|' +
    'this week|obituary|announcements?|news|highlights|front matter|contents|index|acknowledge?ments?|(?:list of )?reviewers|abstracts?|' +
    'proceedings|annual report|meeting report|conference report|call for papers|thank you to|image of the|this month|what.?s new|' +
    'editor.?s.? (?:choice|picks?)|(?:a )?(?:word|message|letter) from|journal club|research highlights|q ?& ?a\\b)\\b',
  'i'
)
const minCommonTitleWords = 8

/** Whether a title is specific enough to tell a work from others of its author in its year. */
export const isSpecificTitle = remember((title: string): boolean => {
  // Chinese, Japanese and Korean words have about two characters.
  const charactersOf = (word: string) => word.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  const words = tokenize(title).reduce((sum, word) => sum + Math.max(1, charactersOf(word) / 2), 0)
  return words >= (commonTitle.test(title) ? minCommonTitleWords : minTitleWords)
})

/** Words that abbreviated names of journals omit. */
const smallWord = /^(?:and|der|die|das|und|des?|du|et|for|fur|in|la|le|les|of|on|the)$/

/**
 * Whether two names can be of one journal: "Science (New York, N.Y.)" is Science, and "Proc Natl Acad Sci U S A" an abbreviation of the
 * Proceedings of the National Academy of Sciences of the United States of America.
 */
export function canBeOneJournal (one: string, other: string): boolean {
  const [{ letters, words }, { letters: otherLetters, words: otherWords }] = [readJournal(one), readJournal(other)]
  return letters === otherLetters || (words.length > 0 && words.length === otherWords.length &&
    words.every((word, at) => abbreviates(word, otherWords[at]!) || abbreviates(otherWords[at]!, word)))
}

/** The letters of a journal's name, and its words, folded, without place and subtitle. */
const readJournal = remember((name: string): { letters: string, words: string[] } => {
  const words = tokenize(name.replace(/[(:=][^]*$/, '')).map(fold)
  return { letters: titleLetters(name), words: words.filter(word => !smallWord.test(word)) }
})

/** Whether a word begins like another and has no letters that this does not have, in its order: "Natl" for "National". */
function abbreviates (short: string, long: string): boolean {
  if (short[0] !== long[0]) return false
  let at = 0
  for (const letter of short) {
    at = long.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

const suffix = /^(?:jr|sr|ii|iii|iv|2nd|3rd|phd|md)$/i
const initials = /^(?:\p{Lu}[.-]?){1,3}$/u

/** The family name, and the initials of given names in their order, folded. */
export interface NameReading { family: string, initials: string[] }

/**
 * How a name can be read, as far as its order tells, the likelier reading first: two or three capitals at the end are initials, as in
 * "Lovelace AB", or a short family name, as in "Xiaoming LI".
 */
export function nameReadings (name: string): NameReading[] {
  // Chinese, Japanese and Korean names put the family name first, with or without a space.
  if (cjkCharacter.test(name)) return [{ family: fold(tokenize(name).join('')), initials: [] }]
  const { parts, hasComma } = nameWords(name)
  const last = parts.at(-1) ?? ''
  const inOrder = readName(last, parts.slice(0, -1))
  // Initials come last only if nothing else does. In an all-caps name they cannot be recognized.
  if (hasComma || !initials.test(last) || !parts.some(part => /\p{Ll}/u.test(part))) return [inOrder]
  const at = parts.findLastIndex(part => !initials.test(part))
  const withInitials = readName(parts[at]!, parts.slice(at + 1))
  return canBeFamilyName(last) ? [withInitials, inOrder] : [withInitials]
}

/** Whether capitals at the end of a name can be a family name, such as LI, besides initials. */
export const canBeFamilyName = (capitals: string): boolean => /^\p{Lu}{2,3}$/u.test(capitals)

/** The words of a name, given names first, without suffixes; and whether a comma marks the family name. */
function nameWords (name: string): { parts: string[], hasComma: boolean } {
  const comma = name.indexOf(',')
  const hasComma = comma > 0 && !suffix.test(name.slice(comma + 1).trim().replace('.', ''))
  const ordered = hasComma ? `${name.slice(comma + 1)} ${name.slice(0, comma)}` : name
  let parts = normalForm(ordered, 'NFKC').split(/[\s,]+/).filter(part => /[\p{L}\p{N}]/u.test(part))
  while (parts.length > 1 && suffix.test(parts.at(-1)!.replaceAll('.', ''))) parts = parts.slice(0, -1)
  return { parts, hasComma }
}

const readName = (family: string, given: readonly string[]): NameReading => ({
  family: fold(tokenize(family).at(-1) ?? ''),
  initials: given.flatMap(part => initials.test(part) && !/\p{Ll}/u.test(part)
    ? [...fold(tokenize(part).join(''))]
    : tokenize(part).map(word => fold(word)[0] ?? ''))
})

/** Family names of the first author as it can be read, the likelier one first: other authors tell whether capitals are family names. */
function firstFamilies ([first, ...others]: Titled['authors']): string[] {
  const families = nameReadings(first?.name ?? '').map(({ family }) => family)
  if (families.length < 2) return families
  const ends = others.slice(0, maxComparedNames)
    .map(({ name }) => name.trim().split(/\s+/))
    .flatMap(words => words.length > 1 ? words.slice(-1) : [])
  return ends.some(end => /^\p{Lu}{4,}$/u.test(end)) && !ends.some(end => /^\p{Lu}$/u.test(end)) ? families.reverse() : families
}

/** Names of a list that are looked at to tell how it writes names. */
const maxComparedNames = 20

interface TitleParts {
  /** Letters of the title, family name of the first author, year; empty if the record does not state them. */
  key: readonly [title: string, author: string, year: string]
  /** The letters of the title as it can be read. */
  titles: readonly string[]
}

/** A record is compared several times while it is ingested, and never changed in place. */
const knownParts = new WeakMap<Titled, TitleParts>()

function titleParts (record: Titled): TitleParts {
  const known = knownParts.get(record)
  if (known !== undefined) return known
  const parts = readTitleParts(record)
  knownParts.set(record, parts)
  return parts
}

function readTitleParts ({ title, authors, published_date }: Titled): TitleParts {
  const titles = titleSpellings(title)
  return { key: [titles[0]!, firstFamilies(authors)[0]!, published_date?.slice(0, 4) ?? ''], titles }
}

type Titled = Pick<PaperRecord, 'title' | 'authors' | 'published_date'>

const hashOf = (parts: readonly string[]) => createHash('sha256').update(parts.join('|')).digest('base64url').slice(0, 22)

/** A hash of title, first author and year. Equal for records that agree in all three, missing ones included. */
export const titleKeyOf = (record: Titled): string => hashOf(titleParts(record).key)

/** The key, and those that the record has if its title or the name of its first author is read otherwise. */
export function titleKeysOf (record: Titled): string[] {
  return keysOfYear(record, titleParts(record).key[2])
}

function keysOfYear (record: Titled, year: string): string[] {
  const { key: [, first], titles } = titleParts(record)
  const families = [...new Set([first, ...firstFamilies(record.authors), ...spelledOut(record.authors)])]
  return titles.flatMap(title => families.map(family => hashOf([title, family, year])))
}

/** The keys that the record has if its work appeared online in one year and in print in the next. None for titles that many works share. */
export function otherYearKeysOf (record: Titled): string[] {
  const year = /^\d{4}/.exec(record.published_date ?? '')?.[0]
  if (year === undefined || !isIdentifiedByTitle(record) || !isSpecificTitle(record.title)) return []
  return [-1, 1].flatMap(years => keysOfYear(record, String(Number(year) + years)))
}

/** The family name of the first author with its umlauts as two letters: "Mueller" for Müller. */
function spelledOut ([first]: Titled['authors']): string[] {
  const name = first?.name.normalize('NFC') ?? ''
  if (!/[äöüø]/i.test(name)) return []
  return nameReadings(name.replace(/[äöüø]/gi, letter => `${letter === 'ø' || letter === 'Ø' ? 'o' : fold(letter)}e`)).slice(0, 1)
    .map(({ family }) => family)
}

/** Whether two folded family names are spellings of one, as far as umlauts go. */
export const isOneFamily = (one: string, other: string): boolean => one === other || withoutUmlauts(one) === withoutUmlauts(other)

/** What the spellings of a family name, as far as umlauts go, have in common. */
export const withoutUmlauts = (family: string): string => family.replace(/([aou])e/g, '$1')

/** All keys that stored records of the same title, first author and year can have. */
export function soughtTitleKeys (record: Titled): string[] {
  const year = titleParts(record).key[2]
  // "Xiaoming Li" may be stored as "Xiaoming LI", whose capitals were taken for initials.
  const { parts } = nameWords(record.authors[0]?.name ?? '')
  const misread = /^\p{L}{2,3}$/u.test(parts.at(-1) ?? '') ? parts.slice(0, -1).findLast(part => !initials.test(part)) : undefined
  const read = [...firstFamilies(record.authors), ...misread === undefined ? [] : [readName(misread, []).family]]
  const families = [...new Set([...read, ...spelledOut(record.authors), ...read.map(withoutUmlauts)])]
  const keys = soughtTitles(record.title).flatMap(title => families.map(family => hashOf([title, family, year])))
  return [...new Set([...keys, formerTitleKeyOf(record)])]
}

/** The key that earlier versions stored, by which their papers are still found. */
export function formerTitleKeyOf ({ title, authors, published_date }: Titled): string {
  const author = tokenize(authors[0]?.name ?? '').flatMap(indexEntries).at(-1) ?? ''
  return hashOf([normalizedTitle(title), author, published_date?.slice(0, 4) ?? ''])
}

/** Whether a record states all of title, first author and year, which together identify a work without an identifier. */
export const isIdentifiedByTitle = (record: Titled): boolean => titleParts(record).key.every(part => part !== '')
