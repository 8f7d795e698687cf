import type { Interest, ScoredText } from './interest.js'
import { interestStemFinder, interestTerms } from './interest-terms.js'
import { keywordMatcher } from './keywords.js'
import { isVagueStem, type TokenizedText } from './terms.js'

/** How a paper matches its project's interest and keywords. */
export interface InterestMatch {
  /** 0 to 1. */
  score: number
  /** The match with positive keywords alone, 0 to 1. */
  keywordScore: number
  /** Words of the interest that the paper has, in its own spelling, with their stems and weights. */
  terms: Array<{ stem: string, term: string, weight: number }>
  positive_keywords: string[]
  negative_keywords: string[]
}

/** The score of a full match with the interest alone, or with the keywords alone. */
export const maxSideScore = 0.8
/** Weight of a word in the title; in the abstract it is 1. */
const titleWeight = 2
/** Weight of a word that papers of any subject have, beside words that name one. */
const vagueWeight = 0.3
/** Added to the weight of all words: a single word is weak evidence unless it is the whole interest. */
const missingWeight = 2

/** Creates the matcher of one project; tokenizes its interest once for many papers. */
export function interestMatcher (
  { interest_description, positive_keywords, negative_keywords }: Interest
): (paper: ScoredText, read: TokenizedText) => InterestMatch {
  const stems = [...new Set(interestTerms(interest_description).flat())]
  const stemOf = interestStemFinder(stems)
  const weightOf = weigh(stems)
  const fullWeight = Math.max([...weightOf.values()].reduce((sum, weight) => sum + weight, 0), Math.min(stems.length, 2)) + missingWeight
  const findKeywords = keywordMatcher({ positive_keywords, negative_keywords })

  return (paper, read) => {
    const { positive, negative } = findKeywords(paper)
    const matchedTerms = new Map<string, InterestMatch['terms'][number]>()
    for (const [part, placeWeight] of [[read.names, 1], [read.abstract, 1], [read.title, titleWeight]] as const) {
      for (const term of part) {
        const stem = stemOf(term)
        if (stem !== undefined) matchedTerms.set(stem, { stem, term: term.word, weight: placeWeight * weightOf.get(stem)! })
      }
    }
    const terms = [...matchedTerms.values()]
    // Saturates: most of the interest's words, or two keywords, are strong evidence. One word of several is not.
    const byInterest = 1 - Math.exp(-2.5 * terms.reduce((sum, { weight }) => sum + weight, 0) / fullWeight)
    const byKeywords = 1 - 0.5 ** positive.length
    return {
      score: 1 - (1 - maxSideScore * byInterest) * (1 - maxSideScore * byKeywords),
      keywordScore: byKeywords,
      terms,
      positive_keywords: positive,
      negative_keywords: negative
    }
  }
}

/** The weights of an interest's words. Where all of them are vague, they are its subject. */
function weigh (stems: readonly string[]): Map<string, number> {
  const isSubject = stems.every(isVagueStem) ? () => true : (stem: string) => !isVagueStem(stem)
  return new Map(stems.map(stem => [stem, isSubject(stem) ? 1 : vagueWeight]))
}
