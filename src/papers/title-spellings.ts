import { LRUCache } from 'lru-cache'
import { spellOutVowels } from '../../schemas/name-form.js'
import { displayedText } from '../latex/displayed-text.js'
import { americanSpelling, britishSpelling } from '../search/british-spellings.js'
import { fold, greekName, tokenize } from '../search/tokenizer.js'
import { withoutMarks } from './retraction-marks.js'

/* The letters of titles, by which works without an identifier are found. */

/** Commands that change how text looks. Others, such as \alpha, name what they stand for. */
const texStyle = new RegExp(
  String.raw`\\(?:(?:text|math)(?:it|bf|rm|sf|sc|tt|sl|up|cal|bb|frak|scr|normal|super|sub)?(?:script)?|emph|mbox|operatorname|` +
  'rm|it|bf|em|cal|left|right|ensuremath|protect|big[lr]?)(?![a-z])',
  'gi'
)
const texVariant = /\\var(?=epsilon|theta|phi|rho|sigma|pi)/g
/** Marks of a retraction in any letters, which may be of the notice: its kind tells it from the article. */
const retractedMark = new RegExp(
  String.raw`^\W*(?:retracted|withdrawn)(?: article| paper)?(?:\s*[\])]?\s*[:.–—]|\s*[\])]\s*-|\s+-|-(?=\s))\s*` +
  String.raw`|^\W*\[(?:retracted|withdrawn)\]\s*|^\W*notice of retraction\s*:\s*`,
  'i'
)
/** A false mark of earlier versions: the beginning of "Withdrawn-depressed". */
const formerRetractedMark = /^\W*(?:retracted|withdrawn)(?: article| paper)?-(?=\S)/i
const htmlTag = /<\/?(?:i|b|em|strong|sub|sup|scp|tt|span|mml:\w+|jats:\w+)\b[^<>]*>/gi

/** Spells a word of a title, in lower case and folded. */
type Spelling = (word: string) => string
/** Titles have the same words: looking them up takes less time than spelling them. */
const remember = (spell: Spelling): Spelling => {
  const known = new LRUCache<string, string>({ max: 5000, memoMethod: spell })
  return word => known.memo(word)
}
const american = remember(word => word === 'vs' ? 'versus' : americanSpelling(word))
const british = remember(word => word === 'versus' ? 'vs' : britishSpelling(word))
const asWritten: Spelling = word => word

/** A title without marks of a retraction, markup and commands of TeX. A pattern would try each space of a long run again and again. */
const withoutNotation = (title: string): string =>
  withoutMarkup(withoutMarks(title.replace(/\s{2,}/g, ' ').replace(retractedMark, '')))

const withoutMarkup = (title: string): string =>
  title.replace(htmlTag, '').replace(texStyle, '').replace(texVariant, '\\')

/** The words of a title without its notation, folded, with Greek letters by their names. */
const wordsOf = (plain: string): string[] => tokenize(plain).map(word => fold(withGreekNames(word)))

const lettersOf = (words: readonly string[], spell: Spelling): string => words.map(spell).join('')

/**
 * A title without its notation: letters and digits alone, accents folded, Greek letters by their names, words in American spelling.
 * Hyphens, spaces, TeX and markup do not tell titles apart.
 */
export const titleLetters = (title: string): string => lettersOf(wordsOf(withoutNotation(title)), american)

/** Greek letters by their names, as people write them without a Greek keyboard. */
function withGreekNames (word: string): string {
  // Words in Greek keep their letters.
  if (/^[\p{Script=Greek}\p{M}]{3,}$/u.test(word)) return word
  return word.replace(/\p{Script=Greek}/gu, letter => greekName(letter) ?? letter)
}

const ampersand = /&(?:amp;)?/g

/** A title without the words "and" and "&", which sources write for each other; none if it has neither. */
function withoutAnd (title: string): string[] {
  const without = title.replace(ampersand, ' ').replace(/\band\b/gi, ' ')
  return without === title ? [] : [without]
}

/** A title with "and" for "&", as it may be stored; none if it has no "&". */
const withAnd = (title: string): string[] => title.includes('&') ? [title.replace(ampersand, ' and ')] : []

/** A title without its notation: as it is displayed, formulas as text, and with the names of their commands; once if it has none. */
function plainForms (title: string): string[] {
  const displayed = displayedText(title)?.joined
  return [...displayed === undefined ? [] : [withoutNotation(displayed)], withoutNotation(title)]
}

/** The letters of a title as it can be read, the likeliest first: also without "and", and with umlauts as two letters. */
export function titleSpellings (title: string): string[] {
  const forms = new Set(plainForms(title).flatMap(plain => [plain, ...withoutAnd(plain), spellOutVowels(plain)]))
  return [...new Set([...forms].map(each => lettersOf(wordsOf(each), american)))]
}

/** The letters with which works of a title can be stored: also in British spelling, with umlauts for two letters, and by former rules. */
export function soughtTitles (title: string): string[] {
  const plain = plainForms(title)
  // Earlier versions kept some marks of a retraction, and took the beginnings of other titles for one.
  const former = [withoutMarkup(title), withoutNotation(title.replace(formerRetractedMark, ''))].filter(each => !plain.includes(each))
  const written = [...new Set([...plain.flatMap(each => [each, ...withoutAnd(each), ...withAnd(each)]), ...former])].map(wordsOf)
  const spelled = [american, asWritten, british].flatMap(spell => written.map(words => lettersOf(words, spell)))
  return [...new Set([...titleSpellings(title), ...spelled, withUmlauts(spelled[0]!)])]
}

/** Letters without the second one of an umlaut that is spelled out. */
const withUmlauts = (letters: string): string => letters.replace(/([aou])e/g, '$1')
