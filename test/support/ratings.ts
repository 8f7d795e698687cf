import { estimateRecall, type Rating, samplesOf } from '../../src/relevance/recall.js'

/** Votes one after another on papers that were all there before. */
export const votes = (...relevant: boolean[]): Rating[] =>
  relevant.map((isRelevant, at) => ({ isRelevant, ratedAt: 1000 + at, addedAt: 0 }))
export const repeat = (isRelevant: boolean, count: number) => Array.from({ length: count }, () => isRelevant)
export const estimate = (ratings: Rating[], unrated: number, since = 0) =>
  estimateRecall({ ratings, unrated, unratedSince: samplesOf(ratings).map(() => since) })
