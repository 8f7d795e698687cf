import { wantedCriteria } from '../input/criteria/wanted-criteria.js'
import { stopWordsOfLanguage } from './foreign-stop-words.js'
import { extractTerms, isEnglish } from './terms.js'

const minForeignWords = 6
/** ALS, MET and DAT are no words of a language where other words have small letters. */
const abbreviation = /(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{L}\p{N}])/gu
/** Pairs of characters in Hiragana alone are inflections and particles. */
const particle = /^\p{Script=Hiragana}+$/u

/**
 * The stems of each criterion of an interest, without the stop words of its language, unless it has no other words: papers of any subject
 * have them.
 */
export function interestTerms (description: string): string[][] {
  const criteria = wantedCriteria(description)
  const text = criteria.join('\n')
  const all = criteria.map(criterion => extractTerms(criterion).filter(({ word }) => !particle.test(word)))
  const stopWords = isForeign(text) ? stopWordsOfLanguage(all.flat().map(({ word }) => word)) : new Set()
  const abbreviations = new Set((/\p{Ll}/u.test(text) ? text.match(abbreviation) ?? [] : []).map(each => each.toLowerCase()))
  const content = all.map(terms => terms.filter(({ word }) => !stopWords.has(word) || abbreviations.has(word)))
  return (content.some(terms => terms.length > 0) ? content : all).map(terms => [...new Set(terms.map(({ term }) => term))])
    .filter(stems => stems.length > 0)
}

/** Whether a text is in another language than English. Short texts are taken for English ones: keywords need no stop words. */
const isForeign = (text: string): boolean =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu)?.length ?? 0) >= minForeignWords && !isEnglish(text)
