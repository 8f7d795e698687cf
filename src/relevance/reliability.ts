import { percent } from '../../schemas/percent.js'
import { calibrate, logistic } from './calibration.js'
import { mean, toDecimals } from './statistics.js'
import type { Outcomes, VotedPaper } from './vote-learner.js'

/** Votes in a range of predicted scores. */
export interface ReliabilityBin { votes: number, predicted: number, observed: number }

/** How well scores predicted votes that they were not learned from. */
export interface Reliability {
  /** Votes that were predicted. */
  votes: number
  /** Ranges with about equally many votes, lowest first. */
  bins: ReliabilityBin[]
  /** Expected calibration error: the mean difference between predicted and observed shares of upvotes. */
  error: number
}

/** Share of the error of correct scores up to which they count as correct. */
const maxErrorRatio = 1.5

/** Votes from which on it is measured. */
export const minReliabilityVotes = 20
const minBinVotes = 10
const maxBins = 10
const folds = 5

/**
 * Predicts the votes on papers of the feed, each from the others: neither what was learned nor the calibration knows it. Papers that their
 * owner brought along say nothing about scores. @returns null for few votes, and for upvotes alone: nobody said what they leave out
 */
export function measureReliability ({ unrated, votes, inSequence }: Outcomes): Reliability | null {
  const rated = votes.filter(({ vote }) => !vote.isSeed)
  if (rated.length < minReliabilityVotes || rated.every(({ vote }) => vote.isLiked)) return null
  const foldOf = new Map<VotedPaper, number>(rated.map(({ vote }, at) => [vote, at % folds]))
  const predictions = Array.from({ length: folds }, (_, fold) => {
    const others = [...votes, ...inSequence].filter(({ vote }) => foldOf.get(vote) !== fold)
    const { slope, intercept } = calibrate([...unrated, ...others])
    return rated.filter(({ vote }) => foldOf.get(vote) === fold)
      .map(({ match, target }) => ({ score: logistic(slope * match + intercept), target }))
  }).flat().sort((a, b) => a.score - b.score)
  const count = Math.min(Math.floor(predictions.length / minBinVotes), maxBins)
  const bins = Array.from({ length: count }, (_, bin): ReliabilityBin => {
    const part = predictions.slice(
      Math.round(bin * predictions.length / count),
      Math.round((bin + 1) * predictions.length / count)
    )
    return {
      votes: part.length,
      predicted: toDecimals(mean(part.map(({ score }) => score))),
      observed: toDecimals(mean(part.map(({ target }) => target)))
    }
  })
  const error = bins.reduce((sum, { votes, predicted, observed }) => sum + votes * Math.abs(predicted - observed), 0) / predictions.length
  return { votes: predictions.length, bins, error: toDecimals(error) }
}

/** The same in words, with the error that chance alone explains. */
export function describeReliability (reliability: Reliability | null) {
  if (reliability === null) return null
  const { votes, bins, error } = reliability
  // Mean absolute deviation of a binomial share, by the normal distribution.
  const expected_error = toDecimals(bins.reduce((sum, { votes: count, predicted }) =>
    sum + count * Math.sqrt((2 / Math.PI) * predicted * (1 - predicted) / count), 0) / votes)
  const difference = bins.reduce((sum, { votes: count, predicted, observed }) => sum + count * (predicted - observed), 0) / votes
  const verdict = error <= Math.max(maxErrorRatio * expected_error, 0.05)
    ? 'Scores are about right'
    : difference > 0 ? 'Scores are too high' : difference < 0 ? 'Scores are too low' : 'Scores are off'
  const sentence = `${verdict}: over ${votes} votes, they differ from the share of upvotes by ${percent(error)} on average; ` +
    `chance alone explains ${percent(expected_error)}.`
  return { sentence, votes, error, expected_error, bins }
}
