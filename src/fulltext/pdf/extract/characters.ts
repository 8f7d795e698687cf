import { normalForm } from '../../../../schemas/normal-form.js'

/* Text normalization: expands ligatures, composes accents and removes non-text characters. */

const ligatures: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' }
/** Combining characters by spacing accent. TeX fonts set accents as separate glyphs. */
const combining: Record<string, string> = {
  '¨': '\u0308',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  ˇ: '\u030C',
  '˚': '\u030A',
  '¸': '\u0327',
  '˘': '\u0306',
  '¯': '\u0304',
  '˙': '\u0307',
  '˝': '\u030B',
  '˛': '\u0328'
}
/** A grave accent is also an opening quotation mark, but not within a word. The text is written as Markdown, which escapes it. */
const grave = /(?<=\p{L})\\?`([AEIOUaeiouı])/gu

/** An acute accent is also a prime, as in "3´UTR" and "A´". A document with one in a longer word sets accents with it. */
const [acute, inWord] = ['´', /\p{L}{2}´|(?<!\p{N})´\p{L}{2}/u]
/** What follows an accent: not after a digit, except the capital of a word, as in the affiliation "1´Ecole". */
const notPrime = '(?:(?<!\\p{N}´)|(?=[AEIOU]\\p{Ll}{2})(?!End\\b))'

const nonText = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2060-\u2064\uFEFF\uFFF9-\uFFFF\uE000-\uF8FF]/g
/** Between letters of other scripts than Latin, joiners and zero-width spaces can belong to the writing: visible-text.ts decides there. */
const zeroWidth = /[\u200B-\u200D](?<!(?!\p{Script=Latin})[\p{L}\p{M}].)/gu
const spaces = /[\s\u00A0\u2000-\u200A\u202F\u205F\u3000]+/g
const spacingAccents = Object.keys(combining)

/**
 * Expands ligatures, removes control and private-use characters, and collapses white space.
 * Keeps soft hyphens, which hyphenation.ts evaluates.
 */
export function normalizeText (text: string): string {
  return text.toWellFormed().replace(nonText, '').replace(zeroWidth, '')
    .replace(/[ﬀ-ﬆ]/g, ligature => ligatures[ligature]!).replace(spaces, ' ')
}

/**
 * Composes a letter and a separate accent: "M¨uller" becomes "Müller".
 * Detects for each accent whether the document sets it before or after the letter.
 */
export function composeAccents (text: string): string {
  const composed = spacingAccents.reduce((text, mark) => text.includes(mark) ? composeAccent(text, mark) : text, text)
  const graved = composed.replace(grave, (_pair, letter: string) => (letter.replace('ı', 'i') + '\u0300').normalize('NFC'))
  return normalForm(graved, 'NFC')
}

function composeAccent (text: string, mark: string): string {
  if (mark === acute && !inWord.test(text)) return text
  const markFirst = new RegExp(`${mark}${mark === acute ? notPrime : ''}([A-Za-zı])`, 'gu')
  const letterFirst = new RegExp(`([A-Za-zı])${mark}`, 'g')
  const countUsual = (pattern: RegExp) => [...text.matchAll(pattern)].filter(([, letter]) => isLatin1Letter(compose(letter!, mark))).length
  return text.replace(
    countUsual(letterFirst) > countUsual(markFirst) ? letterFirst : markFirst,
    (pair, letter: string) => compose(letter, mark) ?? pair
  )
}

function compose (letter: string, accent: string): string | undefined {
  const letters = (letter.replace('ı', 'i') + combining[accent]!).normalize('NFC')
  return letters.length === 1 ? letters : undefined
}

/** Latin-1 letters. Other combinations also occur by chance. */
const isLatin1Letter = (letter: string | undefined) => letter !== undefined && letter <= 'ÿ'

/** Counts the characters that are not white space. */
export const countLetters = (text: string): number => text.replace(/\s/g, '').length
