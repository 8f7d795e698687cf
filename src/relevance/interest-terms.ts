import { wantedCriteria } from '../input/criteria/wanted-criteria.js'
import { otherBeginnings } from '../search/british-spellings.js'
import { stopWordsOfLanguage } from './foreign-stop-words.js'
import { extractTerms, isEnglish, type Term } from './terms.js'

const minForeignWords = 6
/** ALS, MET and DAT are no words of a language where other words have small letters. */
const abbreviation = /(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{L}\p{N}])/gu
/** Pairs of characters in Hiragana alone are inflections and particles. */
const particle = /^\p{Script=Hiragana}+$/u

/** A word that texts may continue, as in the query "schizophren* AND cognit*". */
const truncatedWord = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]{4,}(?=\*(?![\p{L}\p{N}\p{M}]))/gu
/** Each is compared with every word of a paper. */
const maxTruncated = 50

/**
 * The stems of each criterion of an interest, without the stop words of its language, unless it has no other words: papers of any subject
 * have them. Instead of a stem, a truncated word has its beginning and an asterisk.
 */
export function interestTerms (description: string): string[][] {
  const criteria = wantedCriteria(description)
  const text = criteria.join('\n')
  const all = criteria.map(criterion => extractTerms(criterion).filter(({ word }) => !particle.test(word)))
  const stopWords = isForeign(text) ? stopWordsOfLanguage(all.flat().map(({ word }) => word)) : new Set()
  const abbreviations = new Set((/\p{Ll}/u.test(text) ? text.match(abbreviation) ?? [] : []).map(each => each.toLowerCase()))
  const content = all.map(terms => terms.filter(({ word }) => !stopWords.has(word) || abbreviations.has(word)))
  const truncated = new Set((text.match(truncatedWord) ?? []).slice(0, maxTruncated).flatMap(word => extractTerms(word).at(-1)?.word ?? []))
  const stemOf = ({ term, word }: Term) => truncated.has(word) ? `${word}*` : term
  return (content.some(terms => terms.length > 0) ? content : all).map(terms => [...new Set(terms.map(stemOf))])
    .filter(stems => stems.length > 0)
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
