import { identifierEntry, initialEntry } from './document.js'
import { otherSpellings } from './british-spellings.js'
import { irregularPlural, irregularSingular } from './irregular-plurals.js'
import { latinForm } from './joined-names.js'
import { porterStem, stripSuffix } from './stem.js'
import { greekVariants, isCharacterPair, joinParts, queryEntries, searchEntries } from './tokenizer.js'

/**
 * How an entry matches a word of the query: as a longer word, an inflection, an inflection that begins with the word, or the word itself.
 */
export const Match = { none: 0, prefix: 1, inflection: 2, inflectedPrefix: 3, whole: 4 } as const
/** One of the values of `Match`. */
export type Match = typeof Match[keyof typeof Match]

/** Finds entries: those with one of the prefixes, of which `match` tells how each matches. */
export interface EntryPattern {
  prefixes: readonly string[]
  match: (entry: string) => Match
  /** The word that the pattern was made for, if it matches more than that: it tells patterns apart. */
  word?: string
  /** Whether every entry with the prefix is the word itself or a longer word, so that none has to be matched. */
  isPlain?: boolean
  /** Whether only entries that equal one of the prefixes match. */
  isWholeWord?: boolean
  /** The pattern to use instead if any document has an entry that it finds. */
  preferred?: EntryPattern
}

/** A query, ready for ranking. */
export interface QueryPlan {
  /** The patterns of each term. A document must match all patterns of a term to match it; only Chinese and Japanese need several. */
  terms: ReadonlyArray<readonly EntryPattern[]>
  /** The entry that finds the query as one identifier. */
  identifier: string
}

/**
 * Half of all postings match one of the twelve most frequent first letters. So a query has this many terms of one or two characters that
 * match longer words; further ones match the word itself. @see docs/search.md
 */
const maxShortPrefixes = 12
const shortPrefixLength = 2
const isShortPrefix = (word: string) => word.length <= shortPrefixLength && !isCharacterPair(word)

/** How to read the terms of a query. */
export interface QueryKind {
  /** Whether the query is an identifier, whose words count only together. */
  isIdentifier?: boolean | undefined
  /** The parts of each hyphenated name, which is also found without its hyphens. */
  compounds?: ReadonlyArray<readonly string[]> | undefined
}

/** @param terms words as `tokenize` makes them */
export function planQuery (terms: readonly string[], { isIdentifier = false, compounds = [] }: QueryKind = {}): QueryPlan {
  const identifier = identifierEntry(terms)
  const joinedNames = compounds.map(written => {
    const parts = written.map(entryOf)
    return { parts, names: joinedForms(parts) }
  })
  let shortPrefixes = 0
  const plan = (word: string, at: number): EntryPattern => {
    if (isIdentifier) return planIdentifierWord(word, identifier)
    const authors = authorsWithInitial(word, [terms[at - 1], terms[at + 1]])
    if (isShortPrefix(word) && ++shortPrefixes > maxShortPrefixes) return wholeWords([word, ...authors])
    const joined = joinedNames.flatMap(({ parts, names }) => parts.includes(word) ? names.filter(name => hasPart(name, word)) : [])
    return planWord(word, [...joined, ...authors])
  }
  const patterns = terms.map((term, at) => queryEntries(term).map(word => plan(word, at)))
  return { terms: patterns.filter(patterns => patterns.length > 0), identifier }
}

/** The entries of authors whose initial a letter may be, from the words beside it: "Smith J" and "J Smith". */
function authorsWithInitial (word: string, beside: ReadonlyArray<string | undefined>): string[] {
  if (!isLetter.test(word)) return []
  const families = beside.flatMap(other => other === undefined ? [] : searchEntries(other)).filter(family => !isLetter.test(family))
  return families.map(family => initialEntry(family, word))
}

const isLetter = /^\p{L}$/u

/** The entry of a part of a name, unless it has several. */
function entryOf (part: string): string {
  const [entry = part, ...others] = queryEntries(part)
  return others.length === 0 ? entry : part
}

/** Names as people write them without hyphens, each with its Greek letters, their names and the Latin letters for them. */
const joinedForms = (parts: readonly string[]) =>
  [...new Set([...joinParts(parts), parts.join('')].flatMap(formsOf))].filter(name => name.length <= maxJoinedLength)
const maxJoinedLength = 40

const hasPart = (name: string, part: string) => formsOf(part).some(form => name.includes(form))
const formsOf = (name: string) => [...new Set([name, ...greekVariants(name), latinForm(name)])]

/** A word of an identifier, in a text that names the identifier or in an identifier that goes on after it. */
const planIdentifierWord = (word: string, identifier: string): EntryPattern => ({
  prefixes: [word, identifier],
  match: entry => entry === word || entry.startsWith(identifier) ? Match.whole : Match.none
})

/** Too many unrelated words share the stem of a shorter one. */
const minInflectedLength = 4
/** Maximum length that an inflection adds to the part that it shares with the word. */
const maxSuffixLength = 7
const latin = /^[a-z]+$/

/** Finds entries that equal one of these words. */
const wholeWords = (words: readonly string[]): EntryPattern => ({
  prefixes: words,
  isWholeWord: true,
  match: entry => words.includes(entry) ? Match.whole : Match.none
})

/** Finds an entry that equals a word. */
export const wholeWord = (word: string): EntryPattern => wholeWords([word])

/** Where papers have it, longer words are not meant: "1" is no prefix in "HIV-1". Words of other letters may be inflected syllables. */
const letterOrNumber = /^(?:[a-z]|[0-9]{1,2})$/

/** @param names that have the word as a part: written without hyphens, or of authors whose initial it is */
function planWord (word: string, names: readonly string[]): EntryPattern {
  const forms = [word, ...greekVariants(word), ...otherSpellings(word), ...names]
  const plural = irregularPlural(word) ?? irregularSingular(word)
  const minLength = plural === undefined ? minInflectedLength : 1
  const inflected = forms.filter(form => form.length >= minLength && latin.test(form))
  const stems = new Set(inflected.map(stemOf))
  const roots = [...forms.map(form => inflected.includes(form) ? rootOf(form) : form), ...plural === undefined ? [] : [plural]]
  const isNear = (entry: string) => roots.some(root => entry.length <= root.length + maxSuffixLength && entry.startsWith(root))
  const isInflection = (entry: string) => stems.size > 0 && latin.test(entry) && isNear(entry) && stems.has(stemOf(entry))
  const key = [word, ...names].join(' ')
  const beginsWith = (entry: string) => forms.some(form => entry.startsWith(form))
  return {
    word: key,
    prefixes: distinctPrefixes(roots),
    isPlain: stems.size === 0 && forms.length === 1,
    ...letterOrNumber.test(word) && { preferred: { ...wholeWords(forms), word: `=${key}` } },
    match (entry) {
      if (forms.includes(entry)) return Match.whole
      if (beginsWith(entry)) return isInflection(entry) ? Match.inflectedPrefix : Match.prefix
      return isInflection(entry) ? Match.inflection : Match.none
    }
  }
}

/** The start that a word shares with its regular inflections. */
const rootOf = (word: string) => commonPrefix(word, stripSuffix(word).replace(/i$/, ''))

/** Prefixes of which none begins with another, so that no entry is found twice. */
const distinctPrefixes = (prefixes: readonly string[]) => [...new Set(prefixes)].filter((prefix, _at, all) =>
  !all.some(other => other !== prefix && prefix.startsWith(other)))

/** Stems of entries that searches met lately: common prefixes have many. */
const stems = new Map<string, string>()
const maxStems = 100_000

function stemOf (word: string): string {
  let stem = stems.get(word)
  if (stem === undefined) {
    if (stems.size >= maxStems) stems.clear()
    stem = porterStem(word)
    stems.set(word, stem)
  }
  return stem
}

function commonPrefix (one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
