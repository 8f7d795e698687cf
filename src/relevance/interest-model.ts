import type { Corpus } from './corpus.js'
import { addTo, commonShare, product, type Vector } from './features.js'
import type { Interest } from './interest.js'
import { mean, toSignificantDigits } from './statistics.js'
import { type FoundWord, interestWordFinder } from './interest-words.js'
import type { TokenizedText } from './terms.js'
import { interestTerms } from './interest-terms.js'

/**
 * How papers match an interest, relative to the feed: BM25, pseudo-relevance feedback (the features of the best matches), and the numbers
 * in the abstract, which decide where the interest says little. A match has mean 0 and deviation 1 over the feed.
 */
export interface InterestModel {
  /** The interest that it was fitted to. */
  key: string
  /** Weight of each term of the interest, by its stem. */
  terms: Record<string, number>
  /** Terms of the interest that so many papers of the feed have that they explain little. */
  common: string[]
  /** What its words say about the feed, in nats. Words that all papers have, or none, tell no papers apart. */
  information: number
  /** Of a paper, in terms. */
  averageLength: number
  /** Weights of the strongest features of the best matches. */
  expansion: Vector
  /** Weight of the logarithm of the count of numbers, and the mean of that logarithm. */
  numbers: number
  numbersMean: number
  /** The match of a paper without any of these. */
  offset: number
}

/** A paper with all that the interest is compared with. */
export interface MatchedPaper {
  text: TokenizedText
  vector: Vector
  /** Of positive keywords, 0 to 1. */
  keywordMatch: number
}

/** Usual values for BM25. A word of the title counts as three. */
const saturation = 1.5
const lengthNormalization = 0.3
const titleCount = 3
/** Papers taken for relevant without a vote, and the share of their features in a match. @see Rocchio 1971 */
const feedbackPapers = 20
/** Papers that match nearly as well as the last of these count too, so that the order of equals decides nothing. */
const feedbackTolerance = 0.9
const expansionShare = 0.7
const maxExpansion = 400
const maxCriteria = 20
/** In fewer papers, no share of them is large. */
const minDocuments = 20
/** Where no paper of the sample has a word of the interest, one more paper would: at most this share of all. */
const maxUnseenShare = 0.01
/** Weight of numbers, divided by one more than the words of an interest: the fewer it has, the less these say. */
const numbersWeight = 2
/** Weight of keywords, in deviations; one keyword has half of it. */
export const keywordWeight = 3

/** Identifies what an interest model depends on. */
export const interestKey = ({ interest_description, positive_keywords }: Interest): string =>
  JSON.stringify([interest_description, positive_keywords])

/** Fits the match to a sample of the feed. @param features the size of the vocabulary */
export function fitInterest (
  interest: Interest,
  { corpus, papers, features }: { corpus: Corpus, papers: readonly MatchedPaper[], features: number }
): InterestModel {
  const documents = corpus.documents
  const allCriteria = interestTerms(interest.interest_description)
  const stems = [...new Set(allCriteria.flat())]
  const findWords = interestWordFinder(stems)
  const counts = papers.map(({ text }) => countTerms(text, findWords))
  // The corpus counts stems alone: the papers tell how many have a truncated word. Some may be empty, in place of missing ones.
  const texts = papers.filter(({ text }) => lengthOf(text) > 0).length
  const shareOf = (stem: string) => texts === 0 ? 0 : counts.filter(count => count.has(stem)).length / texts
  const frequencyOf = (stem: string) => stem.endsWith('*') ? documents * shareOf(stem) : corpus.frequency(stem)
  const idf = new Map(stems.map(stem => [stem, Math.log(1 + (documents + 0.5) / (frequencyOf(stem) + 0.5))]))
  const averageLength = mean(papers.map(({ text }) => lengthOf(text)).filter(length => length > 0)) || 1
  const parts = {
    key: interestKey(interest),
    common: stems.filter(stem => frequencyOf(stem) >= commonShare * Math.max(documents, minDocuments)),
    information: stems.map(frequencyOf).reduce((sum, frequency) => frequency === 0 ? sum : sum + Math.log(documents / frequency), 0),
    averageLength: toSignificantDigits(averageLength)
  }
  const termMatches = papers.map(({ text }, at) =>
    [...counts[at]!].map(([stem, count]) => ({ stem, value: idf.get(stem)! * saturated(count, text, averageLength) })))
  if (stems.length > 0 && termMatches.every(terms => terms.length === 0)) return { ...parts, ...fitUnseen(idf, papers.length) }
  const matchTerms = (wanted: ReadonlySet<string>) => standardize(termMatches.map(terms =>
    terms.reduce((sum, { stem, value }) => wanted.has(stem) ? sum + value : sum, 0)))
  const byTerms = matchTerms(new Set(stems))
  const criteria = allCriteria.slice(0, maxCriteria).map(criterion => new Set(criterion))
  const centroid = new Float64Array(features)
  // Each criterion has best matches of its own: those of the whole would be of its longest part. Criteria that tell papers apart weigh
  // more.
  const ownMatches = criteria.map(matchTerms).filter(({ scale }) => scale > 0)
  const byCriterion = ownMatches.length > 1 ? ownMatches : [byTerms]
  const total = byCriterion.reduce((sum, { scale }) => sum + 1 / (scale || 1), 0)
  for (const { values, scale } of byCriterion) {
    const own = feedbackCentroid(papers, values.map((value, at) => value + keywordWeight * papers[at]!.keywordMatch), features)
    for (const [place, weight] of own.entries()) centroid[place]! += weight / (scale || 1) / total
  }
  const expanded = standardize(papers.map(({ vector }) => product(centroid, vector)))
  const numbers = standardize(papers.map(({ text }) => Math.log(1 + text.numbers)))
  // Keywords alone say more than how many numbers an abstract has.
  const numbersShare = stems.length === 0 ? 0 : numbersWeight / (1 + stems.length)
  const shares = { terms: 1 - expansionShare, expansion: expansionShare, numbers: numbersShare }
  const whole = standardize(papers.map((_paper, at) =>
    shares.terms * byTerms.values[at]! + shares.expansion * expanded.values[at]! + shares.numbers * numbers.values[at]!))
  const scales = {
    terms: shares.terms * byTerms.scale * whole.scale,
    expansion: shares.expansion * expanded.scale * whole.scale,
    numbers: shares.numbers * numbers.scale * whole.scale
  }
  return {
    ...parts,
    terms: Object.fromEntries([...idf].map(([stem, weight]) => [stem, toSignificantDigits(weight * scales.terms)])),
    expansion: strongest(centroid, scales.expansion),
    numbers: toSignificantDigits(scales.numbers),
    numbersMean: toSignificantDigits(numbers.mean),
    offset: toSignificantDigits(-scales.terms * byTerms.mean - scales.expansion * expanded.mean - whole.scale * whole.mean)
  }
}

/**
 * A match with an interest of which no paper of the sample has a word: one that is not in the sample, or is found later, may have all of
 * them. The sample does not show the deviation of their match, which is estimated. Numbers count nothing: they would be all that ranks.
 */
function fitUnseen (
  idf: ReadonlyMap<string, number>,
  papers: number
): Pick<InterestModel, 'terms' | 'expansion' | 'numbers' | 'numbersMean' | 'offset'> {
  const deviation = mean([...idf.values()]) * Math.sqrt(Math.min(1 / (papers + 1), maxUnseenShare))
  return {
    terms: Object.fromEntries([...idf].map(([stem, weight]) => [stem, toSignificantDigits(weight / deviation)])),
    expansion: { places: [], values: [] },
    numbers: 0,
    numbersMean: 0,
    offset: 0
  }
}

/** Contribution of each part of a match; `terms` by stem. */
export interface MatchParts { terms: Map<string, number>, expansion: number, numbers: number, offset: number }

/** Creates the function that splits a paper's match into its parts. */
export function interestMatchParts (model: InterestModel): (text: TokenizedText, vector: Vector) => MatchParts {
  const expansionWeights = new Map(model.expansion.places.map((place, at) => [place, model.expansion.values[at]!]))
  const weights = new Map(Object.entries(model.terms))
  const findWords = interestWordFinder([...weights.keys()])
  const sumExpansion = ({ places, values }: Vector) => {
    let sum = 0
    for (let at = 0; at < places.length; at++) sum += (expansionWeights.get(places[at]!) ?? 0) * values[at]!
    return sum
  }
  return (text, vector) => {
    const terms = new Map<string, number>()
    for (const [stem, count] of countTerms(text, findWords)) {
      terms.set(stem, weights.get(stem)! * saturated(count, text, model.averageLength))
    }
    const expansion = sumExpansion(vector)
    const numbers = model.numbers * (Math.log(1 + text.numbers) - model.numbersMean)
    const isOnTopic = terms.size > 0 || expansion + model.offset > 0
    // Reports of results on another subject are no better matches than its essays.
    return { terms, expansion, numbers: isOnTopic ? numbers : Math.min(numbers, 0), offset: model.offset }
  }
}

/** The sum of all parts. */
export const matchOf = ({ terms, expansion, numbers, offset }: MatchParts): number =>
  [...terms.values()].reduce((sum, weight) => sum + weight, expansion + numbers + offset)

/** The weighted mean of the best matches, minus the mean of all. */
function feedbackCentroid (papers: readonly MatchedPaper[], matches: readonly number[], features: number): Float64Array {
  const centroid = new Float64Array(features)
  const lowest = matches.reduce((least, match) => Math.min(least, match), Infinity)
  const ranked = [...papers.keys()].filter(at => matches[at]! > lowest).sort((a, b) => matches[b]! - matches[a]! || a - b)
  const threshold = ranked.length <= feedbackPapers ? 0 : feedbackTolerance * (matches[ranked[feedbackPapers - 1]!]! - lowest)
  const best = ranked.filter(at => matches[at]! - lowest >= threshold)
  const total = best.reduce((sum, at) => sum + matches[at]! - lowest, 0)
  if (best.length === 0) return centroid
  for (const at of best) addTo(centroid, papers[at]!.vector, (matches[at]! - lowest) / total)
  for (const { vector } of papers) addTo(centroid, vector, -1 / papers.length)
  return centroid
}

function strongest (weights: Float64Array, scale: number): Vector {
  const places = scale === 0
    ? []
    : [...weights.keys()].filter(place => weights[place] !== 0)
        .sort((a, b) => Math.abs(weights[b]!) - Math.abs(weights[a]!) || a - b).slice(0, maxExpansion).sort((a, b) => a - b)
  return { places, values: places.map(place => toSignificantDigits(weights[place]! * scale)) }
}

function countTerms (text: TokenizedText, findWords: (text: TokenizedText) => FoundWord[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { stem, isInTitle, share } of findWords(text)) counts.set(stem, (counts.get(stem) ?? 0) + share * (isInTitle ? titleCount : 1))
  return counts
}

const lengthOf = ({ title, abstract }: TokenizedText) => title.length + abstract.length
const saturated = (count: number, text: TokenizedText, averageLength: number) =>
  count * (saturation + 1) / (count + saturation * (1 - lengthNormalization + lengthNormalization * lengthOf(text) / averageLength))

/** Mean 0 and deviation 1; all 0 if the values are equal. */
export function standardize (values: readonly number[]): { values: number[], mean: number, scale: number } {
  const average = mean(values)
  const deviation = Math.sqrt(mean(values.map(value => (value - average) ** 2)))
  const scale = deviation < 1e-9 ? 0 : 1 / deviation
  return { values: values.map(value => (value - average) * scale), mean: average, scale }
}
