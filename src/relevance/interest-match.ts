import { indexEntries, tokenize } from '../search/tokenizer.js'
import type { Interest, ScoredText } from './interest.js'
import { type TokenizedText, extractTerms } from './terms.js'

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

/** Weight of a word in the title; in the abstract it is 1. */
const titleWeight = 2

/** Creates the matcher of one project; tokenizes its interest once for many papers. */
export function interestMatcher (
  { interest_description, positive_keywords, negative_keywords }: Interest
): (paper: ScoredText, read: TokenizedText) => InterestMatch {
  const interest = new Set(extractTerms(interest_description).map(({ term }) => term))
  const phrases = (keywords: readonly string[]) =>
    keywords.map(keyword => ({ keyword, phrase: ` ${normalize(keyword)} ` })).filter(({ phrase }) => phrase.trim() !== '')
  const positive = phrases(positive_keywords)
  const negative = phrases(negative_keywords)

  const hasKeywords = positive.length + negative.length > 0

  return ({ title, abstract }, read) => {
    const text = hasKeywords ? ` ${normalize(title)} | ${normalize(abstract ?? '')} ` : ''
    const having = (all: typeof positive) => all.filter(({ phrase }) => text.includes(phrase)).map(({ keyword }) => keyword)
    const matchedTerms = new Map<string, InterestMatch['terms'][number]>()
    for (const [part, weight] of [[read.abstract, 1], [read.title, titleWeight]] as const) {
      for (const { term, word } of part) if (interest.has(term)) matchedTerms.set(term, { stem: term, term: word, weight })
    }
    const terms = [...matchedTerms.values()]
    const included = having(positive)
    // Saturates: half of the interest's words, or two keywords, are strong evidence. One word of a short interest is not.
    const byInterest = interest.size === 0
      ? 0
      : 1 - Math.exp(-2.5 * terms.reduce((sum, { weight }) => sum + weight, 0) / Math.max(interest.size, 6))
    const byKeywords = 1 - 0.5 ** included.length
    return {
      score: 1 - (1 - 0.8 * byInterest) * (1 - 0.8 * byKeywords),
      keywordScore: byKeywords,
      terms,
      positive_keywords: included,
      negative_keywords: having(negative)
    }
  }
}

/** Characters of a text that are searched for keywords. */
const maxTextLength = 50_000
const normalize = (text: string) => tokenize(text.slice(0, maxTextLength)).flatMap(indexEntries).join(' ')
