import { greekLetters } from '../latex/greek.js'
import { displayedText } from '../latex/displayed-text.js'
import { greekVariants, indexEntries, phraseEntries, tokenize } from '../search/tokenizer.js'
import type { ScoredText } from './interest.js'
import { numberForms, verbForms } from './inflections.js'

/** Which keywords a paper has. */
export interface FoundKeywords { positive: string[], negative: string[] }

/** A spelling of a keyword: the forms of each of its words. */
interface Phrase {
  keyword: number
  words: ReadonlyArray<ReadonlySet<string>>
  /** The single Chinese or Japanese character at its end, which a text may extend. */
  start: string | undefined
}

/** Characters of a text that are searched for keywords. */
const maxTextLength = 50_000

/**
 * Creates the function that finds keywords in papers: whole words in any spelling of Greek letters, formulas and hyphenated names.
 * Positive keywords also match as inflections of English; negative ones, which hide a paper, as singular and plural.
 */
export function keywordMatcher (
  { positive_keywords, negative_keywords }: { positive_keywords: readonly string[], negative_keywords: readonly string[] }
): (paper: ScoredText) => FoundKeywords {
  const byFirst = new Map<string, Phrase[]>()
  const byStart = new Map<string, Phrase[]>()
  for (const [at, keyword] of [...positive_keywords, ...negative_keywords].entries()) {
    for (const phrase of phrasesOf(keyword, at, at < positive_keywords.length)) {
      if (phrase.words.length === 0) append(byStart, phrase.start!, phrase)
      else for (const form of phrase.words[0]!) append(byFirst, form, phrase)
    }
  }
  const hasNames = [...positive_keywords, ...negative_keywords].some(keyword => mayBeName.test(keyword))
  const isEmpty = byFirst.size + byStart.size === 0

  const findIn = (text: string, found: Set<number>) => {
    for (const entries of spellingsOf(text, hasNames)) {
      for (let at = 0; at < entries.length; at++) {
        const phrases = byFirst.get(entries[at]!)
        if (phrases !== undefined) for (const phrase of phrases) if (hasPhrase(entries, at, phrase)) found.add(phrase.keyword)
        if (byStart.size > 0) for (const { keyword } of byStart.get([...entries[at]!][0]!) ?? []) found.add(keyword)
      }
    }
  }
  return ({ title, abstract }) => {
    const found = new Set<number>()
    if (!isEmpty) for (const text of [title, abstract ?? '']) findIn(text, found)
    return {
      positive: positive_keywords.filter((_keyword, at) => found.has(at)),
      negative: negative_keywords.filter((_keyword, at) => found.has(positive_keywords.length + at))
    }
  }
}

function append (phrases: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const others = phrases.get(key)
  if (others === undefined) phrases.set(key, [phrase])
  else others.push(phrase)
}

const hasPhrase = (entries: readonly string[], start: number, { words, start: last }: Phrase): boolean =>
  words.every((forms, offset) => forms.has(entries[start + offset] ?? '')) &&
  (last === undefined || (entries[start + words.length]?.startsWith(last) ?? false))

function phrasesOf (keyword: string, at: number, isPositive: boolean): Phrase[] {
  const isAcronym = (word: string) => keyword.includes(word.toUpperCase())
  const formsOf = (word: string) => isAcronym(word) || !isPositive
    ? numberForms(word, isAcronym(word))
    : new Set([...numberForms(word), ...verbForms(word)])
  return writingsOf(keyword).map(phraseEntries).filter(entries => entries.length > 0).map(entries => {
    const last = entries.at(-1)!
    const isOpen = singleCjk.test(last)
    return { keyword: at, words: entries.slice(0, isOpen ? -1 : undefined).map(nameGreek).map(formsOf), start: isOpen ? last : undefined }
  })
}

const singleCjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u

/** The entries of a text in each of its spellings. @param hasNames whether other spellings of hyphenated names matter */
const spellingsOf = (text: string, hasNames: boolean): string[][] =>
  writingsOf(text.slice(0, maxTextLength), hasNames).map(writing => tokenize(writing).flatMap(indexEntries).map(nameGreek))

/** A text as it is displayed, with hyphenated names also as people write them without hyphens, and with formulas also apart from words. */
function writingsOf (text: string, hasNames = true): string[] {
  const displayed = displayedText(text)
  const plain = displayed?.joined ?? text
  const joined = hasNames && mayBeJoined.test(plain) ? [plain.replace(beforeNumber, ''), plain.replace(besideNumber, '')] : []
  return [...new Set([plain, ...joined, ...(displayed === undefined ? [] : [displayed.separated])])]
}

const hyphen = '[-\\u2010-\\u2015\\u2212]'
const mayBeJoined = new RegExp(hyphen)
const greekNames = greekLetters.map(([, name]) => name).join('|')
const greek = `(?:[α-ωΑ-Ω]|(?:${greekNames})(?!\\p{L}{2}))`
const mayBeName = new RegExp(`\\p{N}|[α-ωΑ-Ω\\\\]|${greekNames}`, 'iu')
/** "IL-6" is also written "IL6", and "TGF-β" "TGFβ"; in "IL-6-deficient", the second hyphen stays. */
const beforeNumber = new RegExp(`${hyphen}(?<=\\p{L}.)(?=\\p{N}|${greek})`, 'giu')
/** "5-HT" is also written "5HT". */
const besideNumber = new RegExp(`${beforeNumber.source}|${hyphen}(?<=\\p{N}.)(?=\\p{L})`, 'giu')

const nameGreek = (entry: string): string => /[α-ω]/.test(entry) ? greekVariants(entry)[0] ?? entry : entry
