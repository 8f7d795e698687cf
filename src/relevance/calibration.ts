/** Maps a standardized match to a probability: logistic(slope × match + intercept). */
export interface Calibration { slope: number, intercept: number }

/** A match and the probability that it should have, which is 0 or 1 for a vote. */
export interface Outcome { match: number, target: number, weight: number }

/** Keeps the order of matches, whatever the votes say. */
const minSlope = 0.2
/** A weak Gaussian prior, for few or one-sided outcomes. */
const prior = { slope: 1, intercept: -1.5, slopeWeight: 2, interceptWeight: 0.5 }
const maxIterations = 50

/** Fits a calibration by Newton's method. @see Platt 1999, Probabilistic Outputs for Support Vector Machines */
export function calibrate (outcomes: readonly Outcome[]): Calibration {
  let { slope, intercept } = prior
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    let [gradientSlope, gradientIntercept] = [
      prior.slopeWeight * (slope - prior.slope),
      prior.interceptWeight * (intercept - prior.intercept)
    ]
    let [slopeSlope, slopeIntercept, interceptIntercept] = [prior.slopeWeight, 0, prior.interceptWeight]
    for (const { match, target, weight } of outcomes) {
      const probability = logistic(slope * match + intercept)
      const error = weight * (probability - target)
      const curvature = weight * probability * (1 - probability)
      gradientSlope += error * match
      gradientIntercept += error
      slopeSlope += curvature * match * match
      slopeIntercept += curvature * match
      interceptIntercept += curvature
    }
    const determinant = slopeSlope * interceptIntercept - slopeIntercept ** 2
    const stepSlope = (interceptIntercept * gradientSlope - slopeIntercept * gradientIntercept) / determinant
    const stepIntercept = (slopeSlope * gradientIntercept - slopeIntercept * gradientSlope) / determinant
    // Bounded steps: far from the optimum, the curvature can vanish.
    slope = Math.max(slope - bounded(stepSlope), minSlope)
    intercept -= bounded(stepIntercept)
    if (Math.abs(stepSlope) + Math.abs(stepIntercept) < 1e-6) break
  }
  return { slope, intercept }
}

const bounded = (step: number) => Math.min(Math.max(step, -1), 1)

/** The logistic function: any number to 0 to 1. */
export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

/** The probability of an average match that the prior expects. */
export const priorRate = logistic(prior.intercept)

/** The inverse of the logistic function, of probabilities that are not extreme. */
export function logit (probability: number): number {
  const inner = Math.min(Math.max(probability, 0.001), 0.999)
  return Math.log(inner / (1 - inner))
}
