import type { Interest, ScoredText } from './interest.js'
import { abbreviationsOf, inFullFinder, otherTitleForms, withLongForms } from './interest-abbreviations.js'
import { interestCriteria } from './interest-terms.js'
import { interestWordFinder } from './interest-words.js'
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
  const criteria = interestCriteria(interest_description)
  const stated = [...new Set(criteria.flatMap(({ stems }) => stems))]
  const longForms = abbreviationsOf(interest_description, new Set(stated))
  const findWords = interestWordFinder([...new Set([...stated, ...longForms.keys()])])
  const findInFull = inFullFinder(stated.filter(stem => !longForms.has(stem)))
  const findOtherForms = otherTitleForms(stated)
  const stems = withLongForms(stated, longForms)
  const weightOf = weigh(stems)
  for (const [short, long] of longForms) weightOf.set(short, long.reduce((sum, stem) => sum + weightOf.get(stem)!, 0))
  const alternatives = criteria.filter(({ isAlternative }) => isAlternative).map(({ stems }) => withLongForms(stems, longForms))
  const matchTerms = bestMatch([stems, ...alternatives])
  const findKeywords = keywordMatcher({ positive_keywords, negative_keywords })

  return (paper, read) => {
    const { positive, negative } = findKeywords(paper)
    const words = new Map<string, string>()
    const placeWeights = new Map<string, number>()
    for (const { stem, word, isInTitle, share } of [...findInFull(read), ...findWords(read)]) {
      const weight = share * (isInTitle ? titleWeight : 1)
      if (weight < (placeWeights.get(stem) ?? 0)) continue
      words.set(stem, word)
      placeWeights.set(stem, weight)
    }
    for (const stem of findOtherForms(paper, read)) if (placeWeights.has(stem)) placeWeights.set(stem, titleWeight)
    const byInterest = matchTerms(longForms.size === 0 ? placeWeights : expand(placeWeights, longForms))
    const byKeywords = 1 - 0.5 ** positive.length
    return {
      score: 1 - (1 - maxSideScore * byInterest) * (1 - maxSideScore * byKeywords),
      keywordScore: byKeywords,
      terms: [...words].map(([stem, term]) => ({ stem, term, weight: placeWeights.get(stem)! * weightOf.get(stem)! })),
      positive_keywords: positive,
      negative_keywords: negative
    }
  }
}

/** Gives the words of the long forms of abbreviations at least the weights of these, in their place. */
function expand (placeWeights: ReadonlyMap<string, number>, longForms: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const expanded = new Map<string, number>()
  for (const [stem, weight] of placeWeights) {
    for (const each of [stem, ...longForms.get(stem) ?? []]) expanded.set(each, Math.max(weight, expanded.get(each) ?? 0))
  }
  return expanded
}

/** The weights of an interest's words. Where all of them are vague, they are its subject. */
function weigh (stems: readonly string[]): Map<string, number> {
  const isSubject = stems.every(isVagueStem) ? () => true : (stem: string) => !isVagueStem(stem)
  return new Map(stems.map(stem => [stem, isSubject(stem) ? 1 : vagueWeight]))
}

/** Creates the function that matches the words of a paper, by their weights, with each group of words; the best match counts. */
function bestMatch (groups: ReadonlyArray<readonly string[]>): (placeWeights: ReadonlyMap<string, number>) => number {
  const groupsOf = new Map<string, Array<{ group: number, weight: number }>>()
  const fullWeights = groups.map((stems, group) => {
    let sum = 0
    for (const [stem, weight] of weigh(stems)) {
      const others = groupsOf.get(stem) ?? []
      groupsOf.set(stem, [...others, { group, weight }])
      sum += weight
    }
    return Math.max(sum, Math.min(stems.length, 2)) + missingWeight
  })
  return placeWeights => {
    const sums = new Float64Array(groups.length)
    for (const [stem, placeWeight] of placeWeights) {
      for (const { group, weight } of groupsOf.get(stem) ?? []) sums[group]! += placeWeight * weight
    }
    const best = sums.reduce((most, sum, group) => Math.max(most, sum / fullWeights[group]!), 0)
    // Saturates: most words of an interest, or two keywords, are strong evidence. One word of several is not.
    return 1 - Math.exp(-2.5 * best)
  }
}
