import { logistic } from './calibration.js'

/** A vote with the log-odds that its text has, and the strength of its citation links, 0 to 1. */
export interface LinkedOutcome { logit: number, linked: number, target: number, weight: number }

/** Before any evidence, links add a little: fewer votes than a handful cannot show that they help. */
export const priorCitationWeight = 0.3
/** The strength of a paper's citation links, 0 to 1; 0 without any. */
export const citationStrength = (citations: { strength: number } | undefined): number =>
  citations === undefined || Number.isNaN(citations.strength) ? 0 : Math.min(Math.max(citations.strength, 0), 1)

/** Deviations of the Gaussian priors of the weight and of the shift of all log-odds, which absorbs one-sided votes. */
const deviations = { weight: 0.4, shift: 1 }
/** Links never lower a score, and never outweigh what the text says clearly. */
const maxWeight = 1.5
const iterations = 25

/**
 * Fits the log-odds that links of full strength add to what the text predicts: a logistic regression over held-out predictions, by
 * Newton's method.
 */
export function fitCitationWeight (outcomes: readonly LinkedOutcome[]): number {
  let [weight, shift] = [priorCitationWeight, 0]
  const precision = { weight: deviations.weight ** -2, shift: deviations.shift ** -2 }
  for (let iteration = 0; iteration < iterations; iteration++) {
    let [gradientWeight, gradientShift] = [precision.weight * (weight - priorCitationWeight), precision.shift * shift]
    let [weightWeight, weightShift, shiftShift] = [precision.weight, 0, precision.shift]
    for (const outcome of outcomes) {
      const probability = logistic(outcome.logit + shift + weight * outcome.linked)
      const error = outcome.weight * (probability - outcome.target)
      const curvature = outcome.weight * probability * (1 - probability)
      gradientWeight += error * outcome.linked
      gradientShift += error
      weightWeight += curvature * outcome.linked ** 2
      weightShift += curvature * outcome.linked
      shiftShift += curvature
    }
    const determinant = weightWeight * shiftShift - weightShift ** 2
    weight -= (shiftShift * gradientWeight - weightShift * gradientShift) / determinant
    shift -= (weightWeight * gradientShift - weightShift * gradientWeight) / determinant
  }
  return Number.isFinite(weight) ? Math.round(1000 * Math.min(Math.max(weight, 0), maxWeight)) / 1000 : 0
}
