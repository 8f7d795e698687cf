import type { Interest, ScoredText } from './interest.js'
import { interestStemFinder, interestTerms } from './interest-terms.js'
import { keywordMatcher } from './keywords.js'
import type { TokenizedText } from './terms.js'

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

/** Creates the matcher of one project; tokenizes its interest once for many papers. */
export function interestMatcher (
  { interest_description, positive_keywords, negative_keywords }: Interest
): (paper: ScoredText, read: TokenizedText) => InterestMatch {
  const interest = new Set(interestTerms(interest_description).flat())
  const stemOf = interestStemFinder([...interest])
  const findKeywords = keywordMatcher({ positive_keywords, negative_keywords })

  return (paper, read) => {
    const { positive, negative } = findKeywords(paper)
    const matchedTerms = new Map<string, InterestMatch['terms'][number]>()
    for (const [part, weight] of [[read.names, 1], [read.abstract, 1], [read.title, titleWeight]] as const) {
      for (const term of part) {
        const stem = stemOf(term)
        if (stem !== undefined) matchedTerms.set(stem, { stem, term: term.word, weight })
      }
    }
    const terms = [...matchedTerms.values()]
    // Saturates: half of the interest's words, or two keywords, are strong evidence. One word of a short interest is not.
    const byInterest = interest.size === 0
      ? 0
      : 1 - Math.exp(-2.5 * terms.reduce((sum, { weight }) => sum + weight, 0) / Math.max(interest.size, 6))
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
