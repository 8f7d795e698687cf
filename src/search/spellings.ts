/* Other spellings of names, which people search for in one way and write in another. */
import { greekLetters } from '../latex/greek.js'
import { greekVariants } from './tokenizer.js'

const hyphen = '[-\\u2010-\\u2015\\u2212]'
const greekNames = greekLetters.map(([, name]) => name).join('|')
const greek = `(?:[α-ωΑ-Ω]|(?:${greekNames})(?!\\p{L}{2}))`
const mayBeJoined = new RegExp(hyphen)
const mayBeName = new RegExp(`\\p{N}|[α-ωΑ-Ω\\\\]|${greekNames}`, 'iu')
/** "IL-6" is also written "IL6", and "TGF-β" "TGFβ"; in "IL-6-deficient", the second hyphen stays. */
const beforeNumber = new RegExp(`${hyphen}(?<=\\p{L}.)(?=\\p{N}|${greek})`, 'giu')
/** "5-HT" is also written "5HT". */
const besideNumber = new RegExp(`${beforeNumber.source}|${hyphen}(?<=\\p{N}.)(?=\\p{L})`, 'giu')

/** Whether a text may have a name with a number or a Greek letter. */
export const mayHaveName = (text: string): boolean => mayBeName.test(text)

/** A text with its hyphenated names also without their hyphens, first those before a number and then all: "IL-6" as "IL6". */
export const joinedNames = (text: string): string[] =>
  mayBeJoined.test(text) ? [text.replace(beforeNumber, ''), text.replace(besideNumber, '')].filter(joined => joined !== text) : []

/** A word with its Greek letters as their English names: "tnfα" as "tnfalpha". */
export const nameGreek = (word: string): string => /[α-ω]/.test(word) ? greekVariants(word)[0] ?? word : word

const possessive = /(?<=\p{L})['’ʼ＇]s(?![\p{L}\p{N}])/giu
/** A text in which "Parkinson's disease" is "Parkinson disease", as it is also called. */
export const withoutPossessives = (text: string): string => text.replace(possessive, '')

const signedLetter = /(?<![\p{L}\p{N}])(\p{L})(\+\+|#)(?![\p{L}+#])/gu
/** A text in which "C++" and "C#" are words of their own: the letter alone is also that of a vitamin. */
export const nameSigns = (text: string): string =>
  text.replace(signedLetter, (_name, letter: string, sign: string) => `${letter}${sign === '#' ? 'sharp' : 'plusplus'} `)
