import { normalForm } from './normal-form.js'

/** Letters that people type without their marks, though Unicode does not decompose them. */
export const foldedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h'
}
const foldablePattern = new RegExp(`[${Object.keys(foldedLetters).join('')}]`, 'g')
/** The marks of Latin, Greek and Cyrillic; those of other scripts distinguish letters. */
const marks = /[\u0300-\u036f]/g

/** A lower-case text as people type it: "bohm" for "böhm". */
export const withoutMarks = (text: string): string =>
  normalForm(text, 'NFD').replace(marks, '').normalize('NFC').replace(foldablePattern, letter => foldedLetters[letter]!)

/** Characters that publishers use for a hyphen and an apostrophe. */
export const [hyphens, apostrophes] = ['\u2010\u2011\u2012\u2013\u2014\u2212', '\u2018\u2019\u02bc']
const [hyphenPattern, apostrophePattern] = [new RegExp(`[${hyphens}]`, 'g'), new RegExp(`[${apostrophes}]`, 'g')]

/** The runs of a name that may have marks or typographic signs; most names have none. */
const nonAscii = /[^\0-\x7f]+/g
const plainForm = (run: string) => withoutMarks(run).replace(hyphenPattern, '-').replace(apostrophePattern, "'").replaceAll('ς', 'σ')

/** The form in which parts of names are compared: without case and marks, with plain hyphens and apostrophes, "ς" as "σ". */
export const nameForm = (text: string): string => text.toLowerCase().replace(nonAscii, plainForm)

/** Vowels that German and Scandinavian names are also spelled with, without marks: "Mueller" for "Müller". */
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
/** Capitals are such vowels within words: "Ö" alone is an initial. */
const digraphPattern = /[äöüåø]|[ÄÖÜÅØ](?=\p{Ll}|\p{L}{2})|(?<=\p{L}{2})[ÄÖÜÅØ]/gu
/** A name with these letters for its vowels. */
export const spellOutVowels = (name: string): string => normalForm(name, 'NFC').replace(digraphPattern, vowel => {
  const letters = digraphs[vowel.toLowerCase()]!
  return vowel === vowel.toLowerCase() ? letters : letters[0]!.toUpperCase() + letters[1]!
})

/** Such a pair of letters before a consonant, in a word of five letters or more: not the end of "Joe". */
const pairs = /\b(?=\p{L}{5})(\p{L}+?)(ae|oe|ue|aa)(?![aeiou])(?=\p{L})/gu

/** The name forms that a part of a person's name can have in records: "müller" also as "mueller", and "mueller" as "muller". */
export function nameSpellings (part: string): string[] {
  const lower = normalForm(part.toLowerCase(), 'NFC')
  const spelledOut = spellOutVowels(lower)
  const shortened = lower.replace(pairs, (_pair, before: string, vowels: string) => `${before}${vowels[0]}`)
  return [...new Set([lower, spelledOut, shortened].map(nameForm))]
}
