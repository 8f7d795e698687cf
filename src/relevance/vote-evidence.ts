import type { Vector } from './features.js'

/** Votes of which the model predicts nothing still count a little. */
const minConfidence = 0.1
/**
 * Votes on papers that a feed ranks first repeat each other: together they count as at most so many upvotes against the interest. From the
 * given confidence on, the limit rises, and votes that predict each other perfectly have none.
 */
const saturation = { upvotes: 1, confidence: 0.9 }

/** Papers that share less with the feed than all but this share of its own count less. On review sets, it spares nine votes of ten. */
const leastCovered = 0.05
/** A vote on a text that shares nothing with the feed still tells apart papers like it. Hundreds of them count as less than one upvote. */
const minCoverage = 0.001

/**
 * Downvotes alone say little about what is wanted: at most as much as this share of an upvote, half of it at `halfAt` votes. In the
 * calibration of scores, each has half of its weight at as many.
 */
export const downvotesAlone = { max: 0.02, halfAt: 10 }

/** How much a vote counts. */
interface Evidence {
  isLiked: boolean
  /** Whether its owner brought the paper along, and did not rate it in the feed. */
  isSeed: boolean
  /** Agreement with the present interest, 0 to 1. */
  trust: number
  /** How much of the paper the feed can show, 0 to 1. */
  coverage: number
}

/** A vote, and how well its paper matches what other votes taught. */
interface Prediction { vote: { isLiked: boolean }, ownMatch: number }

interface Circumstances {
  /** How well votes predict each other, up to 1; null if there are too few to tell. */
  confidence: number | null
  /** The weight of downvotes. */
  disliked: number
  /** The number of words of the interest. */
  words: number
}

/**
 * How many upvotes all votes count as against the interest. Papers that their owner brought along owe it nothing: they do not saturate.
 * Many votes of an earlier interest do not make up for little agreement.
 */
export function evidenceOf (votes: readonly Evidence[], { confidence, disliked, words }: Circumstances): number {
  const liked = votes.filter(({ isLiked }) => isLiked)
  const upvotes = (seeds: boolean) => liked.reduce((sum, { isSeed, trust, coverage }) => sum + (isSeed === seeds ? trust * coverage : 0), 0)
  const shown = upvotes(false)
  // Too few votes to tell: the longer the interest, the more of them it earned itself, until downvotes show that votes differ.
  const unsaturated = confidence === null
    ? 1 / Math.max(words, 1) / (1 + disliked)
    : Math.max((confidence - saturation.confidence) / (1 - saturation.confidence), 0)
  const trust = typicalTrust(liked) ** 2
  return trust * (shown / (1 + (1 - trust * unsaturated) * shown / saturation.upvotes) + upvotes(true) * (confidence ?? 1))
}

/**
 * How much each downvote counts in the calibration of scores where nothing was upvoted. Readers who only downvote may pass over what
 * matters without a vote. So an unrated paper counts as what the interest expects of it, in the measure of a downvote, as surely as it was
 * passed over: by the share of the downvotes on papers that match less.
 */
export function evidenceOfDownvotes (
  downvotes: ReadonlyArray<{ match: number, weight: number }>
): { weight: number, passedOver: (match: number) => number } {
  const total = downvotes.reduce((sum, { weight }) => sum + weight, 0)
  const weight = total ** 2 / (downvotesAlone.halfAt ** 2 + total ** 2)
  const below = (own: number) => downvotes.reduce((sum, { match, weight }) => sum + (match < own ? weight : 0), 0)
  return { weight, passedOver: match => total === 0 ? 0 : weight * below(match) / total }
}

/** How much better than chance predictions separate upvotes from downvotes, up to 1; null if there are too few to tell. */
export function confidenceOf (predictions: readonly Prediction[]): number | null {
  const liked = predictions.filter(({ vote }) => vote.isLiked)
  const disliked = predictions.filter(({ vote }) => !vote.isLiked)
  if (liked.length < 2 || disliked.length < 2) return null
  let wins = 0
  for (const { ownMatch } of liked) {
    for (const other of disliked) wins += ownMatch > other.ownMatch ? 1 : ownMatch === other.ownMatch ? 0.5 : 0
  }
  return Math.max(2 * wins / liked.length / disliked.length - 1, minConfidence)
}

/** The mean trust of votes, each of which counts as far as it is trusted: distrusted votes do not lower that of others. 1 without votes. */
export function typicalTrust (votes: ReadonlyArray<{ trust: number }>): number {
  const sum = votes.reduce((sum, { trust }) => sum + trust, 0)
  return sum === 0 ? 1 : votes.reduce((sum, { trust }) => sum + trust ** 2, 0) / sum
}

/**
 * Creates a function that says how much of a text the feed shares, 0 to 1: the part of its vector that papers of the feed also have,
 * squared, relative to the least covered papers of the feed itself. What is learned from a text in another language, or without content,
 * is scaled like anything else, but says next to nothing about the feed. @param features the size of the vocabulary
 */
export function createCoverage (papers: ReadonlyArray<{ vector: Vector }>, features: number): (vector: Vector) => number {
  const counts = new Uint32Array(features)
  for (const { vector } of papers) for (const place of vector.places) counts[place]!++
  const shared = ({ places, values }: Vector, minPapers: number) =>
    places.reduce((sum, place, at) => sum + (counts[place]! >= minPapers ? values[at]! ** 2 : 0), 0)
  // Of a paper of the feed, what others have too.
  const ofFeed = Float64Array.from(papers.filter(({ vector }) => vector.places.length > 0), ({ vector }) => shared(vector, 2)).sort()
  const usual = ofFeed[Math.floor(leastCovered * ofFeed.length)] ?? 0
  return vector => usual > 0 ? Math.max(Math.min(shared(vector, 1) / usual, 1) ** 2, minCoverage) : 1
}
