import { displayedText } from '../latex/displayed-text.js'
import { apostropheEntries, greekEntries } from './joined-names.js'
import { nonJoinedParts, searchForm, searchWords } from './search-words.js'
import type { DocumentRow } from './storage.js'
import { compoundEntries, fold, searchEntries, tokenize } from './tokenizer.js'

/** The texts that a feed item is found by. */
export type SearchableText = Pick<DocumentRow, 'title' | 'authors' | 'summary' | 'abstract' | 'identifiers'>

/** The entries of one document, each with its packed field counts, and the document's length in words. */
export interface IndexedDocument {
  entries: Map<string, number>
  length: number
}

/** Each field's bits in the byte of field counts. Term frequency saturates, so that higher counts would change little. */
const fields = {
  title: { shift: 0, max: 3 },
  authors: { shift: 2, max: 1 },
  summary: { shift: 3, max: 3 },
  abstract: { shift: 5, max: 7 }
} as const
/** A field that counts term frequencies of its own. */
export type Field = keyof typeof fields

/** Further entries of a document are not indexed. */
const maxEntries = 20_000
/** Lengths are stored in 16 bits. */
const maxLength = 65_535

/** The weighted term frequency for every byte of field counts. */
export const fieldFrequencies = (weights: Readonly<Record<Field, number>>): Float64Array =>
  Float64Array.from({ length: 256 }, (_each, counts) =>
    Object.entries(fields).reduce((sum, [field, { shift, max }]) => sum + weights[field as Field] * ((counts >> shift) & max), 0))

/**
 * Splits a feed item into the entries that find it: the words of its texts as they are displayed. Identifiers find it as a whole, and
 * their numbers count as words of the abstract.
 */
export function indexDocument ({ title, authors, summary, abstract, identifiers }: SearchableText): IndexedDocument {
  const entries = new Map<string, number>()
  let length = 0
  const add = (entry: string, field: Field) => {
    const { shift, max } = fields[field]
    const counts = entries.get(entry) ?? 0
    if (counts === 0 && entries.size >= maxEntries) return
    if (((counts >> shift) & max) < max) entries.set(entry, counts + (1 << shift))
  }
  const addWords = (words: readonly string[], field: Field) => {
    for (const word of words) for (const entry of searchEntries(word)) add(entry, field)
  }
  const addPlainText = (text: string, field: Field): string[] => {
    const words = searchWords(text)
    addWords(words, field)
    addWords(nonJoinedParts(text).map(parts => parts.join('')), field)
    for (const entry of [...compoundEntries(text), ...greekEntries(text)]) add(entry, field)
    return words
  }
  const addText = (text: string | null, field: Field): number => {
    if (text === null || text === '') return 0
    const searched = searchForm(text)
    const displayed = displayedText(searched)
    const words = addPlainText(displayed?.joined ?? searched, field)
    if (displayed !== undefined) {
      const known = new Set(words)
      addWords(searchWords(displayed.separated).filter(word => !known.has(word)), field)
    }
    return words.length
  }
  length += addText(title, 'title')
  const citedNames: string[] = []
  for (const { name: writtenName } of authors) {
    const name = searchForm(writtenName)
    length += addText(name, 'authors')
    for (const entry of apostropheEntries(name)) add(entry, 'authors')
    const { families, initials } = partsOf(name)
    if (initials.length > 1) add(initials.join(''), 'authors')
    if (initials.length > 0) for (const family of families) citedNames.push(initialEntry(family, initials[0]!))
  }
  addText(summary, 'summary')
  length += addText(abstract, 'abstract')
  for (const identifier of identifiers) {
    if (!identifier) continue
    addWords(identifierWords(identifier), 'abstract')
    add(identifierEntry(tokenize(identifier)), 'title')
  }
  // Last, since thousands of authors would leave no place for the abstract.
  for (const name of citedNames) add(name, 'authors')
  return { entries, length: Math.min(length, maxLength) }
}

/**
 * The family name of an author, of which each word counts, and the initials of the given names. People cite authors by both: "Smith JA" or
 * "Smith J" for "John A Smith".
 */
function partsOf (name: string): { families: string[], initials: string[] } {
  const words = name.replace(/,?\s+(?:Jr|Sr|I{2,3}|IV)\.?$/, '').split(/\s+/)
  const before = words.slice(0, -1)
  const end = before.findIndex(word => !/^\p{Lu}/u.test(word))
  const given = before.slice(0, end === -1 ? undefined : end).flatMap(word => word.match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [])
  const initials = fold(given.map(part => [...part][0]!).join('').toLowerCase())
  const family = words.at(-1)!
  const families = [...searchWords(family).flatMap(searchEntries), ...apostropheEntries(family)]
  return { families: families.filter(word => word.length > 1), initials: [...initials] }
}

/**
 * The entry of an author's family name with the first initial. Initials alone would be found as words: the D of vitamin D. No word begins
 * with its first character.
 */
export const initialEntry = (family: string, initial: string): string => `,${family} ${initial}`

const minIdentifierWordLength = 3
/**
 * The words of an identifier that are its own. Many papers share the prefix of its DOI, and the journals and months in it ("cell", "10")
 * are words of other subjects.
 */
const identifierWords = (identifier: string): string[] =>
  tokenize(identifier.replace(/^10\.\d{4,9}\//, '')).filter(word => word.length >= minIdentifierWordLength && /\d/.test(word))

/**
 * The entry of a whole identifier. @param words of the identifier, or of a query that may be one. No word begins with its first character.
 */
export const identifierEntry = (words: readonly string[]): string => ` ${[...new Set(words)].join(' ')}`.slice(0, 200)
