import { displayedText } from '../latex/displayed-text.js'
import { otherBeginnings, otherSpellings } from '../search/british-spellings.js'
import { joinedNames, mayHaveName, nameGreek, nameSigns, withoutPossessives } from '../search/spellings.js'
import { indexEntries, isSingleCjk, phraseEntries, tokenize } from '../search/tokenizer.js'
import type { ScoredText } from './interest.js'
import { numberForms, strictNumberForms, verbForms } from './inflections.js'
import { isOtherInCapitals, maxTextLength } from './terms.js'

/** Which keywords a paper has. */
export interface FoundKeywords { positive: string[], negative: string[] }

/**
 * The forms of a word; or how it begins: what precedes the asterisk in "schizophren*", and the single Chinese or Japanese character at the
 * end of a keyword, which a text may extend.
 */
type Word = ReadonlySet<string> | { starts: readonly string[] }

/** A spelling of a keyword. */
interface Phrase {
  keyword: number
  words: readonly Word[]
  /** The keyword if only capitals tell it from a word: "US" and "AIDS". */
  capitals: string | undefined
}

/** A text in one of its spellings. */
interface Spelling {
  text: string
  /** Whether formulas stand apart from the words around them, which makes words of their letters. */
  isSeparated: boolean
}

/** Between the entries of sentences, so that no phrase reaches from one into the next. */
const noEntry = ''
/** A word that texts may continue. Fewer letters would begin too many words. */
const truncatedWord = /[\p{L}\p{N}\p{M}]{3,}(?=\*(?![\p{L}\p{N}\p{M}]))/gu
/** Abbreviations before a name, as in "E. coli" and "St. John's", are shorter. */
const sentenceEnd = /[.!?](?<=\p{Ll}{4}.)\s+(?=\p{Lu})/u

/** Words of keywords that are compared with a paper: the most that 200 long keywords need in an ordinary abstract is a tenth of it. */
const maxComparisons = 300_000

/**
 * Creates the function that finds keywords in papers: whole words in any spelling of Greek letters, formulas and hyphenated names, and the
 * beginnings of words that end with an asterisk.
 * Positive keywords also match as inflections of English; negative ones, which hide a paper, as singular and plural of one meaning.
 */
export function keywordMatcher (
  { positive_keywords, negative_keywords }: { positive_keywords: readonly string[], negative_keywords: readonly string[] }
): (paper: ScoredText) => FoundKeywords {
  const byFirst = new Map<string, Phrase[]>()
  const byFirstLetter = new Map<string, Phrase[]>()
  const isPositive = (keyword: number) => keyword < positive_keywords.length
  for (const [at, keyword] of [...positive_keywords, ...negative_keywords].entries()) {
    for (const phrase of phrasesOf(keyword, at, isPositive(at))) {
      const first = phrase.words[0]!
      if ('starts' in first) for (const letter of new Set(first.starts.map(firstLetter))) append(byFirstLetter, letter, phrase)
      else for (const form of first) append(byFirst, form, phrase)
    }
  }
  const hasNames = [...positive_keywords, ...negative_keywords].some(mayHaveName)
  const isEmpty = byFirst.size + byFirstLetter.size === 0

  return ({ title, abstract }) => {
    const found = new Set<number>()
    let comparisons = 0
    const findIn = ({ text, isSeparated }: Spelling) => {
      const entries = entriesOf(text)
      let inCapitals: Set<string> | undefined
      const hasCapitals = (word: string) => (inCapitals ??= new Set(text.match(capitals))).has(word)
      const find = (at: number, phrases: readonly Phrase[]) => {
        for (const phrase of phrases) {
          comparisons++
          if (comparisons > maxComparisons) return
          if (found.has(phrase.keyword) || (isSeparated && !isPositive(phrase.keyword))) continue
          comparisons += phrase.words.length
          if (phrase.capitals !== undefined && !hasCapitals(phrase.capitals)) continue
          if (hasPhrase(entries, at, phrase)) found.add(phrase.keyword)
        }
      }
      for (const [at, entry] of entries.entries()) {
        const phrases = byFirst.get(entry)
        if (phrases !== undefined) find(at, phrases)
        const opened = byFirstLetter.size > 0 && byFirstLetter.get(firstLetter(entry))
        if (opened) find(at, opened)
      }
    }
    if (!isEmpty) for (const text of [title, abstract ?? '']) spellingsOf(text.slice(0, maxTextLength), hasNames).forEach(findIn)
    return {
      positive: positive_keywords.filter((_keyword, at) => found.has(at)),
      negative: negative_keywords.filter((_keyword, at) => found.has(positive_keywords.length + at))
    }
  }
}

/** Words of capitals, perhaps in the plural. */
const capitals = /(?<![\p{L}\p{N}])[A-Z]{2,5}(?=s?(?![\p{L}\p{N}]))/gu

function append (phrases: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const others = phrases.get(key)
  if (others === undefined) phrases.set(key, [phrase])
  else others.push(phrase)
}

/** The entries of each sentence of a text, and one that is no word after each. */
function entriesOf (text: string): string[] {
  const entries: string[] = []
  for (const sentence of text.split(sentenceEnd)) {
    for (const word of tokenize(sentence)) for (const entry of indexEntries(word)) entries.push(nameGreek(entry))
    entries.push(noEntry)
  }
  return entries
}

const firstLetter = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 0)

const hasPhrase = (entries: readonly string[], start: number, { words }: Phrase): boolean => words.every((word, offset) => {
  const entry = entries[start + offset] ?? noEntry
  return 'starts' in word ? word.starts.some(start => entry.startsWith(start)) : word.has(entry)
})

function phrasesOf (keyword: string, at: number, isPositive: boolean): Phrase[] {
  const isAcronym = (word: string) => keyword.includes(word.toUpperCase())
  const formsOf = (word: string) => new Set([...inflect(word)].flatMap(form => [form, ...otherSpellings(form)]))
  const inflect = (word: string) => {
    if (!isPositive) return isAcronym(word) ? numberForms(word, true) : strictNumberForms(word)
    return isAcronym(word) ? numberForms(word, true) : new Set([...numberForms(word), ...verbForms(word)])
  }
  const keyEntries = (text: string) => phraseEntries(text).map(nameGreek)
  const wordsOf = (text: string): Word[] => {
    const truncated = new Set((text.match(truncatedWord) ?? []).flatMap(word => keyEntries(word).at(-1) ?? []))
    const isOpen = (entry: string, at: number, { length }: string[]) => truncated.has(entry) || (at === length - 1 && isSingleCjk(entry))
    return keyEntries(text).map((entry, at, entries) => isOpen(entry, at, entries)
      ? { starts: [entry, ...otherBeginnings(entry)] }
      : formsOf(entry))
  }
  const abbreviation = /^[A-Z]{2,5}$/.test(keyword) && isOtherInCapitals(keyword.toLowerCase()) ? keyword : undefined
  return spellingsOf(keyword)
    .map(({ text }) => ({ keyword: at, words: wordsOf(text), capitals: abbreviation }))
    .filter(({ words }) => words.length > 0)
}

const comparedText = (text: string) => nameSigns(withoutPossessives(text))

/** A text as it is displayed, with hyphenated names also as people write them without hyphens, and with formulas also apart from words. */
function spellingsOf (text: string, hasNames = true): Spelling[] {
  const displayed = displayedText(text)
  const plain = comparedText(displayed?.joined ?? text)
  const joined = hasNames ? joinedNames(plain) : []
  const separated = displayed === undefined ? [] : [{ text: comparedText(displayed.separated), isSeparated: true }]
  return [...[...new Set([plain, ...joined])].map(text => ({ text, isSeparated: false })), ...separated]
}
