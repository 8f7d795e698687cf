import { wantedCriteria } from '../input/criteria.js'
import { foreignStopWords } from './foreign-stop-words.js'
import { extractTerms, isEnglish } from './terms.js'

const minForeignWords = 6
/** Pairs of characters in Hiragana alone are inflections and particles. */
const particle = /^\p{Script=Hiragana}+$/u

/**
 * The stems of each criterion of an interest, without the stop words of its language, unless it has no other words: papers of any subject
 * have them.
 */
export function interestTerms (description: string): string[][] {
  const criteria = wantedCriteria(description)
  const all = criteria.map(criterion => extractTerms(criterion).filter(({ word }) => !particle.test(word)))
  const content = isForeign(criteria.join('\n')) ? all.map(terms => terms.filter(({ word }) => !foreignStopWords.has(word))) : all
  return (content.some(terms => terms.length > 0) ? content : all).map(terms => [...new Set(terms.map(({ term }) => term))])
    .filter(stems => stems.length > 0)
}

/** Whether a text is in another language than English. Short texts are taken for English ones: keywords need no stop words. */
const isForeign = (text: string): boolean =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu)?.length ?? 0) >= minForeignWords && !isEnglish(text)
