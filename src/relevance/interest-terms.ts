import { wantedCriteria } from '../input/criteria/wanted-criteria.js'
import { otherBeginnings } from '../search/british-spellings.js'
import { stopWordsOfLanguage } from '../search/foreign-stop-words.js'
import { extractTerms, isAbbreviation, isEnglish, isVagueStem, splitTerms, type Term } from './terms.js'

const minForeignWords = 4
/** ALS, MET and DAT are no words of a language where other words have small letters. */
const abbreviation = /(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{L}\p{N}])/gu
/** Pairs of characters in Hiragana alone are inflections and particles, and a word ends before a particle of Chinese or Japanese. */
const particle = /^(?:\p{Script=Hiragana}+|[的のをはに].|.[的のをはに])$/u
/** Al and Ni are elements, and begin names. */
const capitalized = /(?<![\p{L}\p{N}\p{M}])\p{Lu}[\p{L}\p{M}]*/gu
/** The same but for the first word of each line. */
const capitalizedWithin = /(?<!^|[\p{L}\p{N}\p{M}])\p{Lu}[\p{L}\p{M}]*/gmu

/** A word that texts may continue, as in the query "schizophren* AND cognit*". */
const truncatedWord = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]{4,}(?=\*(?![\p{L}\p{N}\p{M}]))/gu
/** Each is compared with every word of a paper. */
const maxTruncated = 50

/** A criterion of an interest by its stems, and whether a paper that matches it alone is wanted. */
export interface Criterion { stems: string[], isAlternative: boolean }

/**
 * The stems of each criterion of an interest, without the stop words of its language, unless it has no other words: papers of any subject
 * have them. Instead of a stem, a truncated word has its beginning and an asterisk. Lines and items of a list are alternatives, but for
 * those that restrict others to a kind of study or participant, and for the parts of one question.
 */
export function interestCriteria (description: string): Criterion[] {
  const wanted = wantedCriteria(description)
  const isOne = isQuestion(description)
  const areLines = !isOne && hasLines(description)
  const parts = isOne ? [{ texts: wanted.map(text => text.replace(questionPart, '')), isList: false }] : splitLists(wanted)
  const criteria = parts.flatMap(({ texts }) => texts)
  const areAlternatives = parts.flatMap(({ texts, isList }) => texts.map(() => areLines || isList))
  const text = criteria.join('\n')
  const all = criteria.map(contentTerms)
  const stopWords = isForeign(text) ? foreignStopWords(text) : new Set()
  const abbreviations = new Set((/\p{Ll}/u.test(text) ? text.match(abbreviation) ?? [] : []).map(each => each.toLowerCase()))
  const content = all.map(terms => terms.filter(({ word }) => !stopWords.has(word) || abbreviations.has(word)))
  const truncated = new Set((text.match(truncatedWord) ?? []).slice(0, maxTruncated).flatMap(word => extractTerms(word).at(-1)?.word ?? []))
  const stemOf = ({ term, word }: Term) => truncated.has(word) ? `${word}*` : term
  const kept = content.some(terms => terms.length > 0) ? content : all
  // Children alone are the subject of "infants, children, adolescents".
  const restricts = kept.every(isRestriction) ? areVague : isRestriction
  return kept
    .map((terms, at) => ({ stems: [...new Set(terms.map(stemOf))], isAlternative: areAlternatives[at]! && !restricts(terms) }))
    .filter(({ stems }) => stems.length > 0)
}

/** The words and names of a text, without particles of Chinese and Japanese. */
export const contentTerms = (text: string): Term[] => withoutParts(extractTerms(text).filter(({ word }) => !particle.test(word)))

/** Leaves out words that stand in names alone: with "IL" of "IL-6", papers on IL-17 would match nearly as well. */
function withoutParts (terms: readonly Term[]): Term[] {
  const named = new Map<string, number>()
  const parts = terms.filter(isName).flatMap(({ word }) => word.split(/[ \p{Pd}\u2212]/u)).flatMap(part => extractTerms(part))
  for (const { word } of parts) named.set(word, (named.get(word) ?? 0) + 1)
  const counts = new Map<string, number>()
  for (const term of terms) if (!isName(term)) counts.set(term.word, (counts.get(term.word) ?? 0) + 1)
  return terms.filter(term => isName(term) || counts.get(term.word)! > (named.get(term.word) ?? 0))
}

const isName = (term: Term) => isAbbreviation(term) || /[ \p{Pd}\u2212]/u.test(term.word)

/** The stems alone. */
export const interestTerms = (description: string): string[][] => interestCriteria(description).map(({ stems }) => stems)

/** Words of kinds of studies and participants. */
const restrictions: ReadonlySet<string> = new Set((
  'adolescent adult aged animal baby blinded boy child clinical design elderly empirical english female girl human infant language male ' +
  'man men mouse neonate newborn older people prospective qualitative quantitative random randomised randomized rat retrospective rodent ' +
  'student synthesis teenager toddler woman women young younger youth'
).split(' ').flatMap(word => extractTerms(word).map(({ term }) => term)))
const isRestriction = (terms: readonly Term[]) => terms.every(({ term }) => isVagueStem(term) || restrictions.has(term))
const areVague = (terms: readonly Term[]) => terms.every(({ term }) => isVagueStem(term))

const questionWord = '(?:(?:patients?|participants?|populations?|problem|sample|interventions?|exposures?|comparators?|comparisons?|' +
  'controls?|outcomes?|(?:study )?designs?|study types?|types? of studies|settings?|timing|timeframe|context|concept|' +
  'phenomenon of interest|evaluation|research type)(?: ?\\([A-Z]\\))?)'
const mark = '[ \\t]*(?:[-*•#>]+[ \\t]*|\\d{1,2}[.)][ \\t]*)?'
/** Labels of the parts of one question (PICO, PECO, PICOTS, SPIDER, PCC), by letters or words, and headings of them. */
const questionPart = new RegExp(`(?<=^|[;,.])${mark}(?:[PICOSTED]|${questionWord})\\**[ \\t]*[:：]|^${mark}${questionWord}[ \\t*]*$`, 'gimu')
/** Whether a text has the labels of different parts of a question. */
const isQuestion = (text: string): boolean => new Set(text.match(questionPart)?.map(label => label.trim().toLowerCase())).size > 1

const minItems = 3
const shortPhrase = /^\S+(?: \S+){0,3}$/u
/** A phrase of Chinese or Japanese, which have no spaces, is longer. */
const longRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{9}/u
const conjunction = /^(?:and|or|und|oder|et|ou|y|o|e) /iu
/** It ties an item to the phrase around a list: "effects of heat, drought and salt on wheat". */
const preposition = / (?:of|in|on|for|by|with|from|to|between|among|at|after|during|under) /iu

/** Splits criteria that are lists of short phrases between commas or semicolons, at which criteria also end. */
function splitLists (criteria: readonly string[]): Array<{ texts: string[], isList: boolean }> {
  const rows: string[][] = []
  for (const criterion of criteria) {
    if (rows.at(-1)?.at(-1)?.endsWith(';') === true) rows.at(-1)!.push(criterion)
    else rows.push([criterion])
  }
  return rows.map(texts => {
    const items = listItems(texts.join(' '))
    return items.length > 0 ? { texts: items, isList: true } : { texts, isList: false }
  })
}

/** The items of a list; none of other texts. */
function listItems (text: string): string[] {
  const items = text.replace(/\.$/u, '').split(/[,;]\s+|[，；、]/u).map(item => item.trim()).filter(item => item !== '')
  if (items.length < minItems) return []
  const [first, last] = [items[0]!, items.at(-1)!]
  const plain = [...items.slice(0, -1), last.replace(conjunction, '')]
  // Items without words end names: "vitamins D, E, and K".
  if (plain.some(item => !shortPhrase.test(item) || longRun.test(item) || extractTerms(item).length === 0)) return []
  const isTied = preposition.test(first) || preposition.test(last)
  return isTied && !plain.every(item => preposition.test(item)) ? [] : plain
}

const minWrapped = 40
/** Whether lines are criteria, and not a text that was wrapped into them. */
function hasLines (description: string): boolean {
  const lines = description.split('\n').map(line => line.trim()).filter(line => line !== '')
  return lines.length > 1 &&
    !lines.some((line, at) => at > 0 && /^\p{Ll}/u.test(line) && lines[at - 1]!.length >= minWrapped && !/[.:;!?]$/u.test(lines[at - 1]!))
}

/** Creates the function that finds the stem of an interest that a word of a paper has, as `interestTerms` states it. */
export function interestStemFinder (stems: readonly string[]): (term: Term) => string | undefined {
  const whole = new Set(stems)
  const starts = stems.filter(stem => stem.endsWith('*'))
    .flatMap(stem => [stem.slice(0, -1), ...otherBeginnings(stem.slice(0, -1))].map(start => ({ start, stem })))
    // The longest counts, of which "sleep*" before "sleepless*" would leave nothing.
    .sort((a, b) => b.start.length - a.start.length)
  const truncated = (word: string) => starts.find(({ start }) => word.startsWith(start))?.stem
  return ({ term, word }) => whole.has(term) ? term : starts.length === 0 ? undefined : truncated(word)
}

/** Whether a text is in another language than English. Short texts are taken for English ones: keywords need no stop words. */
const isForeign = (text: string): boolean =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu)?.length ?? 0) >= minForeignWords && !isEnglish(text)

/** The stop words of a text's language, one of which has small letters and is no English one: "in" is German as well. */
function foreignStopWords (text: string): ReadonlySet<string> {
  const stopWords = stopWordsOfLanguage(splitTerms(text.replace(capitalizedWithin, ' ')).flat().map(({ word }) => word))
  return extractTerms(text.replace(capitalized, ' ')).some(({ word }) => stopWords.has(word)) ? stopWords : new Set()
}
