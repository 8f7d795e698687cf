import { wantedCriteria } from '../input/criteria.js'
import { extractTerms, stopWordShare } from './terms.js'

/** Languages other than English have next to no English stop words. */
const minEnglishShare = 0.15
const minForeignWords = 6
const shortWord = /^\p{Ll}{2,3}$/u
const shortWordAtStart = /(?<=(?:^|[.!?;:\n])\s*)\p{Lu}\p{Ll}{1,2}(?![\p{L}\p{N}\p{M}])/gu
/** Pairs of characters in Hiragana alone are inflections and particles. */
const particle = /^\p{Script=Hiragana}+$/u

/**
 * The stems of each criterion of an interest. In languages other than English, words of up to three lower-case letters are left out, unless
 * there are no others: most are articles, conjunctions and prepositions, which papers of any subject have.
 */
export function interestTerms (description: string): string[][] {
  const criteria = wantedCriteria(description)
  const short = shortWordsOf(criteria.join('\n'))
  const all = criteria.map(criterion => extractTerms(criterion).filter(({ word }) => !particle.test(word)))
  const long = all.map(terms => terms.filter(({ word }) => !short.has(word)))
  return (long.some(terms => terms.length > 0) ? long : all).map(terms => [...new Set(terms.map(({ term }) => term))])
    .filter(stems => stems.length > 0)
}

/** The short words of a text that is not in English, folded like all words. */
function shortWordsOf (text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  if (words.length < minForeignWords || stopWordShare(text) >= minEnglishShare) return new Set()
  const short = [...words.filter(word => shortWord.test(word)), ...text.match(shortWordAtStart) ?? []]
  return short.length < 2 ? new Set() : new Set(short.flatMap(word => extractTerms(word).map(({ word }) => word)))
}
