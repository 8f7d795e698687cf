import { identifierEntry } from './document.js'
import { porterStem } from './stem.js'
import { greekVariants, queryEntries } from './tokenizer.js'

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
  /** Whether only the entry that equals the prefix matches. */
  isWholeWord?: boolean
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

/** @param terms words as `tokenize` makes them */
export function planQuery (terms: readonly string[]): QueryPlan {
  let shortPrefixes = 0
  const plan = (word: string): EntryPattern =>
    word.length <= shortPrefixLength && ++shortPrefixes > maxShortPrefixes ? wholeWord(word) : planWord(word)
  return {
    terms: terms.map(term => queryEntries(term).map(plan)).filter(patterns => patterns.length > 0),
    identifier: identifierEntry(terms)
  }
}

/** Too many unrelated words share the stem of a shorter one. */
const minInflectedLength = 4
/** Maximum length that an inflection adds to the part that it shares with the word. */
const maxSuffixLength = 7
const latin = /^[a-z]+$/

/** Finds an entry that equals a word. */
export const wholeWord = (word: string): EntryPattern => ({
  prefixes: [word],
  isWholeWord: true,
  match: entry => entry === word ? Match.whole : Match.none
})

function planWord (word: string): EntryPattern {
  const otherForms = greekVariants(word)
  const stem = word.length >= minInflectedLength && latin.test(word) ? stemOf(word) : undefined
  const root = stem === undefined ? word : commonPrefix(word, stem.replace(/i$/, ''))
  const isInflection = (entry: string) =>
    stem !== undefined && entry.length <= root.length + maxSuffixLength && latin.test(entry) && stemOf(entry) === stem
  return {
    word,
    prefixes: [root, ...otherForms],
    isPlain: stem === undefined && otherForms.length === 0,
    match (entry) {
      if (entry === word) return Match.whole
      if (entry.startsWith(word)) return isInflection(entry) ? Match.inflectedPrefix : Match.prefix
      for (const form of otherForms) if (entry.startsWith(form)) return entry.length === form.length ? Match.whole : Match.prefix
      return isInflection(entry) ? Match.inflection : Match.none
    }
  }
}

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
