import { greekLetters } from '../latex/greek.js'
import { joinableParts } from './joined-names.js'
import { withoutOperators } from './operators.js'
import { withoutAskingWords } from './questions.js'
import { nonJoinedParts, searchForm, searchWords, unspacedPairs } from './search-words.js'
import { hyphenatedNames } from './tokenizer.js'
import { splitUnspaced } from './unspaced-words.js'

/** Formats the terms as the query that was run. @param hasAllTerms whether every item of the page has all terms */
export const formatQuery = (terms: readonly string[], hasAllTerms: boolean): string => terms.join(hasAllTerms ? ' ' : ' OR ')

/**
 * Splits a query into its distinct terms, in order, without operators and the words of a question that say nothing of its subject. Pasted
 * links and prefixes of identifiers are reduced to the identifier, and long runs of Chinese and Japanese split.
 * @param q a search text as schemas/search-text.ts has it, so there is at least one term
 */
export function parseQuery (q: string): string[] {
  const text = bareIdentifiers(searchForm(q))
  const subject = withoutOperators(text)
  const terms = termsOf(subject)
  return splitUnspaced(subject, withoutAskingWords(subject, [...new Set(terms.length > 0 ? terms : termsOf(text))]))
}

const letterOrDigit = /[\p{L}\p{N}]/u
/** Words without the marks that stand alone, which papers need not have. */
const termsOf = (text: string) => searchWords(text).filter(word => letterOrDigit.test(word))

/** Pasted forms of identifiers, and what the index holds instead. */
const pastedForms: ReadonlyArray<[form: RegExp, identifier: string]> = [
  [/\b(?:https?:\/\/)?(?:dx\.)?doi\.org\/(?=10\.)|\bdoi:\s*(?=10\.)/gi, ''],
  [/\b(?:https?:\/\/)?(?:www\.)?arxiv\.org\/(?:abs|pdf)\/(\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?/gi, '$1'],
  [/\barxiv:\s*(\d{4}\.\d{4,5})(?:v\d+)?/gi, '$1'],
  [/\b(?:https?:\/\/)?pubmed\.ncbi\.nlm\.nih\.gov\/(\d+)\/?/gi, '$1'],
  [/\bpmid:\s*(?=\d)/gi, ''],
  [/\b(?:https?:\/\/)?(?:api\.)?openalex\.org\/(?:works\/)?(W\d+)/gi, '$1']
]

const bareIdentifiers = (q: string) => pastedForms.reduce((text, [form, identifier]) => text.replace(form, identifier), q)

const letters = new Map(greekLetters.map(([letter, name]) => [name, letter]))
const mayBeGreekName =
  /(?<![\p{L}\p{N}])([a-z]{2,5})([-\u2010-\u2015\u2212]?)([α-ω]|alpha|beta|gamma|delta|epsilon|kappa)([a-z]?)(?![\p{L}\p{N}])/giu
/** Names that people also type in small letters with the letter's name, as "tnfalpha". */
const joinedBases = new Set(['tnf', 'tgf', 'ifn', 'nf', 'hif', 'ppar'])

/**
 * Whether a match is a name of few letters with a Greek one, which papers also write without a hyphen, or with the letter's name: "TNF-α"
 * and "NF-kappaB". Without a hyphen, the name of a letter may be in an ordinary word: "Tibetan".
 */
const isGreekName = (base: string, hyphen: string, letter: string): boolean =>
  hyphen !== '' || letter.length === 1 || joinedBases.has(base.toLowerCase()) || (/^[A-Z]+$/.test(base) && /^[a-z]+$/.test(letter))

/** A query whose names have their Greek letter after a hyphen, as "TNF-α". */
export const hyphenateGreek = (q: string): string =>
  q.replace(mayBeGreekName, (text, base: string, hyphen: string, letter: string, end: string) =>
    isGreekName(base, hyphen, letter) ? `${base}-${letters.get(letter.toLowerCase()) ?? letter}${end}` : text)

/**
 * The parts of each name or word in such a query that papers write with and without hyphens, an apostrophe or a non-joiner, such as
 * "TNF-α", "IL-6" and "O'Connor"; and of those that a dictionary has split.
 */
export const compoundsIn = (q: string): string[][] => [
  ...hyphenatedNames(q),
  ...joinableParts(searchForm(q)),
  ...nonJoinedParts(q),
  ...unspacedPairs(q),
  ...[...q.matchAll(mayBeGreekName)].filter(([, base, hyphen, letter]) => isGreekName(base!, hyphen!, letter!))
    .map(([, base, , letter, end]) => [base!, letter! + end!].map(part => part.toLowerCase()))
]
