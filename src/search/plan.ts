import { stemmer } from 'stemmer'
import { identifierEntry } from './document.js'
import { greekForms, queryEntriesOf } from './tokenizer.js'

/** How an entry of the index answers a word of a query: as a longer word that it begins, as an inflection, as one that it begins, or itself. */
export const Match = { none: 0, prefix: 1, inflection: 2, inflectedPrefix: 3, whole: 4 } as const
export type Match = typeof Match[keyof typeof Match]

/** One thing that is looked for: entries that begin in these ways, and how each of them answers. */
export interface Wanted {
  beginnings: readonly string[]
  match: (entry: string) => Match
}

export interface Plan {
  /** For each term, what a document must have, all of it, to match the term; more than one for Chinese and Japanese alone. */
  terms: ReadonlyArray<readonly Wanted[]>
  /** The entry of the identifier that the whole query may be. */
  identifier: string
}

/** @param terms as wordsOf makes them */
export function planSearch (terms: readonly string[]): Plan {
  return {
    terms: terms.map(term => queryEntriesOf(term).map(wanted)).filter(all => all.length > 0),
    identifier: identifierEntry(terms)
  }
}

/** Words shorter than this have too many others that begin like them. */
const shortestInflected = 4
/** What an inflection can add to the part that it shares with the word. */
const longestEnding = 7
const latin = /^[a-z]+$/

function wanted (word: string): Wanted {
  const others = greekForms(word)
  const stem = word.length >= shortestInflected && latin.test(word) ? stemOf(word) : undefined
  const root = stem === undefined ? word : sharedBeginning(word, stem.replace(/i$/, ''))
  const isInflection = (entry: string) => stem !== undefined && entry.length <= root.length + longestEnding && latin.test(entry) && stemOf(entry) === stem
  return {
    beginnings: [root, ...others],
    match (entry) {
      if (entry === word) return Match.whole
      if (entry.startsWith(word)) return isInflection(entry) ? Match.inflectedPrefix : Match.prefix
      for (const form of others) if (entry.startsWith(form)) return entry.length === form.length ? Match.whole : Match.prefix
      return isInflection(entry) ? Match.inflection : Match.none
    }
  }
}

/** Stems of entries that searches have met lately: a common beginning has many. */
const stems = new Map<string, string>()
const mostStems = 100_000

function stemOf (word: string): string {
  let stem = stems.get(word)
  if (stem === undefined) {
    if (stems.size >= mostStems) stems.clear()
    stem = stemmer(word)
    stems.set(word, stem)
  }
  return stem
}

function sharedBeginning (one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
