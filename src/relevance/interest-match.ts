import { indexEntries, tokenize } from '../search/tokenizer.js'
import type { Interest, ScoredText } from './interest.js'
import { type ReadText, termsOf } from './terms.js'

/** How a paper matches what its project says of itself. */
export interface InterestMatch {
  /** 0 to 1. */
  score: number
  /** Words of the interest that it has, as it writes them, with what each counts. */
  terms: Array<{ term: string, weight: number }>
  positive_keywords: string[]
  negative_keywords: string[]
}

/** A word in the title says more than one in the abstract. */
const titleWeight = 2

/** Makes the matcher of one project, so that its interest is taken apart once for many papers. */
export function interestMatcher ({ interest_description, positive_keywords, negative_keywords }: Interest): (paper: ScoredText, read: ReadText) => InterestMatch {
  const interest = new Set(termsOf(interest_description).map(({ term }) => term))
  const phrases = (keywords: readonly string[]) => keywords.map(keyword => ({ keyword, phrase: ` ${normal(keyword)} ` })).filter(({ phrase }) => phrase.trim() !== '')
  const positive = phrases(positive_keywords)
  const negative = phrases(negative_keywords)

  const hasKeywords = positive.length + negative.length > 0

  return ({ title, abstract }, read) => {
    const text = hasKeywords ? ` ${normal(title)} | ${normal(abstract ?? '')} ` : ''
    const having = (all: typeof positive) => all.filter(({ phrase }) => text.includes(phrase)).map(({ keyword }) => keyword)
    const found = new Map<string, { term: string, weight: number }>()
    for (const [part, weight] of [[read.abstract, 1], [read.title, titleWeight]] as const) {
      for (const { term, word } of part) if (interest.has(term)) found.set(term, { term: word, weight })
    }
    const terms = [...found.values()]
    const wanted = having(positive)
    // Saturating: half the interest's words, or two keywords, already speak clearly for a paper. One word of a short interest does not.
    const byInterest = interest.size === 0 ? 0 : 1 - Math.exp(-2.5 * terms.reduce((sum, { weight }) => sum + weight, 0) / Math.max(interest.size, 6))
    const byKeywords = 1 - 0.5 ** wanted.length
    return { score: 1 - (1 - 0.8 * byInterest) * (1 - 0.8 * byKeywords), terms, positive_keywords: wanted, negative_keywords: having(negative) }
  }
}

const longestText = 50_000
const normal = (text: string) => tokenize(text.slice(0, longestText)).flatMap(indexEntries).join(' ')
