import { withoutMarks } from '../../schemas/name-form.js'
import { normalForm } from '../../schemas/normal-form.js'
import { greekLetters } from '../latex/greek.js'

/** Characters of words; anything else separates words. */
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const cjkPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu
const isCjk = new RegExp(cjkPattern.source, 'u')
/** The same with the mark of long vowels, which belongs to no script of its own. */
const searchedCjkPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu
const isSearchedCjk = new RegExp(searchedCjkPattern.source, 'u')
/** A word that folding leaves as it is. */
const plainWord = /^[a-z0-9]+$/
/** Words are cut to this length, in documents and queries alike. */
const maxWordLength = 64

/** Splits a text into words as people see them: NFKC, lower case, in order. */
export function tokenize (text: string): string[] {
  return normalForm(text, 'NFKC').toLowerCase().match(wordPattern) ?? []
}

/**
 * The index entries of one word of `tokenize`: accents folded; Chinese and Japanese, which have no spaces, as overlapping pairs of
 * characters and the last character by itself, so that any two or more consecutive characters are found.
 */
export const indexEntries = (word: string): string[] =>
  plainWord.test(word) ? [word.slice(0, maxWordLength)] : splitCharacters(word, cjkPattern)

function splitCharacters (word: string, runs: RegExp): string[] {
  const entries: string[] = []
  let end = 0
  for (const { 0: run, index } of word.matchAll(runs)) {
    if (index > end) entries.push(fold(word.slice(end, index)))
    const characters = [...run]
    for (let at = 0; at + 1 < characters.length; at++) entries.push(characters[at]! + characters[at + 1]!)
    entries.push(characters.at(-1)!)
    end = index + run.length
  }
  if (end < word.length) entries.push(fold(word.slice(end)))
  return entries.filter(entry => entry !== '')
}

const mayHaveVariant = /ς|[\u0591-\u06d5]/
const variantLetters: Readonly<Record<string, string>> = {
  أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ς: 'σ'
}
/**
 * Letters that Arabic, Persian and Greek texts also write in another way, or with another code; the line that extends words; and the vowels
 * of Arabic and Hebrew.
 */
const variant = /[أإآٱىیکةς]|\u0640|[\u064b-\u065f]|\u0670|[\u0591-\u05c7]/g
/** The part of a word before the particles of Korean: "19" of "19의". */
const beforeHangul = /^[\p{Script=Latin}\p{Script=Greek}\p{N}\p{M}]+(?=\p{Script=Hangul})/u
const mayBeHangul = /[\uac00-\ud7a3]/

/**
 * The entries of a word in the search index: those of a query, a final Chinese or Japanese character, and the part before Korean
 * particles.
 */
export function searchEntries (word: string): string[] {
  if (plainWord.test(word)) return [word.slice(0, maxWordLength)]
  const entries = splitCharacters(withoutVariants(word), searchedCjkPattern)
  return mayBeHangul.test(word) ? [...entries, ...stemsBeforeHangul(word)] : entries
}

const stemsBeforeHangul = (word: string): string[] => (word.match(beforeHangul) ?? []).map(fold)

/** Letters that are one to readers are one in searches alone: stored titles and interests are compared by `indexEntries`. */
const withoutVariants = (word: string): string =>
  mayHaveVariant.test(word) ? word.replace(variant, letter => variantLetters[letter] ?? '') : word

/** Hyphenated words. The lookbehind keeps a long word from being scanned again from each of its characters. */
const hyphenatedPattern = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]+(?:[-\u2010-\u2015\u2212][\p{L}\p{N}\p{M}]+)+/gu
const maxCompoundLength = 24

/** The parts of each hyphenated name with a digit in a text: "anti", "pd" and "1" of "anti-PD-1". */
export function hyphenatedNames (text: string): string[][] {
  if (!/\p{N}/u.test(text)) return []
  return (normalForm(text, 'NFKC').toLowerCase().match(hyphenatedPattern) ?? [])
    .filter(isName)
    .map(name => name.split(/[^\p{L}\p{N}\p{M}]/u))
}

const isName = (text: string) => /\p{N}/u.test(text) && /\p{L}/u.test(text)

/** Names as people write them without hyphens: a hyphenated name and those at its end, "antipd1" and "pd1" of "anti-PD-1". */
export function joinParts (parts: readonly string[]): string[] {
  const names: string[] = []
  let name = parts.at(-1)!
  for (let at = parts.length - 2; at >= 0; at--) {
    name = parts[at]! + name
    if (name.length > maxCompoundLength) break
    if (isName(name)) names.push(fold(name))
  }
  return names
}

/** Further index entries of a text: its hyphenated names with digits as people write them without hyphens, "il6" for "IL-6" and "IL-6의". */
export const compoundEntries = (text: string): string[] =>
  hyphenatedNames(text).flatMap(joinParts).flatMap(name => mayBeHangul.test(name) ? [name, ...stemsBeforeHangul(name)] : [name])

/** The entries of a query word: without a final single Chinese or Japanese character, which the text may extend. */
export function queryEntries (word: string): string[] {
  if (plainWord.test(word)) return searchEntries(word)
  const entries = splitCharacters(withoutVariants(word), searchedCjkPattern)
  return entries.filter((entry, at) => !(at > 0 && isCharacter(entry) && isCharacterPair(entries[at - 1]!)))
}

const isCharacter = (entry: string) => [...entry].length === 1 && isSearchedCjk.test(entry)

/** Whether an entry is a pair of Chinese or Japanese characters, which no longer entry begins with. */
export const isCharacterPair = (entry: string): boolean => isSearchedCjk.test(entry) && [...entry].length === 2

/**
 * The entries of a phrase, which follow each other in the entries of every text that has it: without the single character at the end of a
 * Chinese or Japanese phrase, which the text may extend.
 */
export function phraseEntries (phrase: string): string[] {
  const entries = tokenize(phrase).flatMap(indexEntries)
  const [last, before] = [entries.at(-1), entries.at(-2)]
  return last !== undefined && before !== undefined && isSingleCjk(last) && isCjk.test(before) && [...before].length === 2
    ? entries.slice(0, -1)
    : entries
}

/** Whether an entry is a single Chinese or Japanese character. */
export const isSingleCjk = (entry: string) => [...entry].length === 1 && isCjk.test(entry)

/** Removes the marks of Latin, Greek and Cyrillic; those of other scripts distinguish letters. Cuts long words. */
export function fold (word: string): string {
  return withoutMarks(word).slice(0, maxWordLength)
}

const nameOfLetter = new Map(greekLetters)
/** The English name of a lower-case Greek letter, such as "beta"; undefined for other characters. */
export const greekName = (letter: string): string | undefined => nameOfLetter.get(letter)

const letterOfName = new Map([...nameOfLetter].map(([letter, name]) => [name, letter]))

/** Other spellings of a word with a Greek letter: "β2" as "beta2", "beta2" as "β2"; none for Greek words. */
export function greekVariants (word: string): string[] {
  const [, name, number] = /^([a-z]+)(\d*)$/.exec(word) ?? []
  const letter = letterOfName.get(name ?? '')
  if (letter !== undefined) return [letter + number!]
  const isMixed = [...word].length === 1 || /[a-z0-9]/.test(word)
  return isMixed && /[α-ω]/.test(word) ? [word.replace(/[α-ω]/g, letter => nameOfLetter.get(letter) ?? letter)] : []
}
