import { normalForm } from '../../schemas/normal-form.js'
import { fold, greekName } from './tokenizer.js'

/* Names that are also written as one word, with Latin letters for Greek ones or without their apostrophe. */

const letter = String.raw`[\p{L}\p{N}\p{M}]`
const hyphen = String.raw`[-\u2010-\u2015\u2212]`
const before = `(?<!${letter})`

/** Latin letters that people write for Greek ones. */
const latinLetters = new Map([['α', 'a'], ['β', 'b'], ['γ', 'g'], ['δ', 'd'], ['κ', 'k']])
const greekLetter = /[αβγδκ]/g
/** A name with Latin letters for its Greek ones: "tgfb1" for "tgfβ1". */
export const latinForm = (name: string): string => name.replace(greekLetter, each => latinLetters.get(each)!)

/** Greek letters, also those of mathematical alphabets. */
const mayHaveGreek = /[α-ωΑ-Ωϐ-ϵ]|[^\0-\uffff]/u
const hyphenated = new RegExp(`${before}${letter}+(?:${hyphen}${letter}+)*`, 'gu')
const [hyphenPattern, greekInName] = [new RegExp(hyphen, 'u'), new RegExp(`[a-z0-9]${hyphen}?[αβγδκ]`, 'u')]
const joinedGreekName = /^(?=.{3,24}$)[a-z][a-z0-9]*[αβγδκ][a-z0-9αβγδκ]*$/
/** Shorter spellings are words of other meanings: "era" of "ERα". */
const minLatinLength = 4

/** Spellings of the names with Greek letters in a text: "tgfb1" and "tgfbeta1" of "TGF-β1". */
function greekNameEntries (text: string): string[] {
  if (!mayHaveGreek.test(text)) return []
  const names = (normalForm(text, 'NFKC').toLowerCase().match(hyphenated) ?? []).filter(name => greekInName.test(name))
  return names.flatMap(name => {
    const parts = name.split(hyphenPattern)
    const folded = parts.map(fold)
    const joinedNames = new Set(parts.flatMap((part, end) => part.search(greekLetter) < 0 ? [] : endingAt(folded, end)))
    return [...joinedNames].flatMap(joined =>
      [latinForm(joined), joined.replace(greekLetter, each => greekName(each)!)].filter(entry => entry.length >= minLatinLength))
  })
}

/** The names that end with a part: "tnfα" and "antitnfα" of "anti-TNF-α". */
function endingAt (parts: readonly string[], end: number): string[] {
  const names: string[] = []
  let name = ''
  for (let at = end; at >= 0 && name.length < 24; at--) {
    name = parts[at]! + name
    if (joinedGreekName.test(name)) names.push(name)
  }
  return names
}

/** Names that are written with Latin letters for Greek ones after a hyphen: "NF-kB", "TNF-a". */
const latinName = (base: string) => new RegExp(`${before}(${base}{2,5})${hyphen}([kK]?[bB]|[aAgGdD])(?!${letter})`, 'gu')
const [latinNameInText, latinNameInQuery] = [latinName('[A-Z]'), latinName('[A-Za-z]')]
const apostrophe = "['’‘ʼ＇]"
const withApostrophe = (minLength: number) =>
  new RegExp(`${before}([\\p{L}\\p{M}]{1,20})${apostrophe}([\\p{L}\\p{M}]{${minLength},20})(?!${letter})`, 'gu')
const [apostropheInName, apostropheInQuery] = [withApostrophe(2), withApostrophe(3)]

const partsOf = (text: string, form: RegExp): string[][] =>
  [...text.matchAll(form)].map(([, one, other]) => [one!, other!].map(part => normalForm(part, 'NFKC').toLowerCase()))
const joined = (parts: readonly string[]) => fold(parts.join(''))

/** Further index entries of a text: names with Greek letters, as people type them. */
export const greekEntries = (text: string): string[] => [...greekNameEntries(text), ...partsOf(text, latinNameInText).map(joined)]

/** Further index entries of a person's name: "oconnor" of "O'Connor". */
export const apostropheEntries = (name: string): string[] => partsOf(name, apostropheInName).map(joined)

/** The parts of each name of a query that papers also write as one word: "nf" and "kb", "o" and "connor". */
export const joinableParts = (q: string): string[][] => [latinNameInQuery, apostropheInQuery].flatMap(form => partsOf(q, form))
