import { product, type Vector } from './features.js'

/** A paper to learn from. */
export interface Example {
  vector: Vector
  wanted: boolean
  /** Relative to the other examples of its side; both sides weigh the same in total. */
  weight: number
}

/** Inverse strength of the L2 penalty. Values from 3 to 100 give nearly the same result. */
const inversePenalty = 10
const iterations = 60

/**
 * Logistic regression with an L2 penalty, sides balanced, by accelerated gradient descent (Nesterov 1983; the step is the inverse of the
 * Lipschitz constant of the loss, since the vectors' length is 1).
 *
 * @returns a weight for each feature
 */
export function fit (examples: readonly Example[], features: number): { weights: Float64Array } {
  const total = (wanted: boolean) => examples.reduce((sum, example) => sum + (example.wanted === wanted ? example.weight : 0), 0) || 1
  const totals = { wanted: total(true), unwanted: total(false) }
  const counted = examples.map(({ vector, wanted, weight }) => ({ vector, target: wanted ? 1 : 0, weight: weight / (wanted ? totals.wanted : totals.unwanted) }))
  // Both sides weigh 1, the slope of the logistic function is at most 1/4, and a vector with its intercept has a squared length of 2.
  const step = 1 / (2 * 0.25 * 2 + 1 / inversePenalty)

  let weights = new Float64Array(features)
  let intercept = 0
  let ahead = weights.slice()
  let interceptAhead = 0
  let momentum = 1
  for (let iteration = 0; iteration < iterations; iteration++) {
    const gradient = ahead.map(weight => weight / inversePenalty)
    let interceptGradient = 0
    for (const { vector, target, weight } of counted) {
      const error = weight * (logistic(product(ahead, vector) + interceptAhead) - target)
      interceptGradient += error
      for (let at = 0; at < vector.places.length; at++) gradient[vector.places[at]!]! += error * vector.values[at]!
    }
    const nextMomentum = (1 + Math.sqrt(1 + 4 * momentum ** 2)) / 2
    const push = (momentum - 1) / nextMomentum
    const next = ahead.map((weight, place) => weight - step * gradient[place]!)
    const nextIntercept = interceptAhead - step * interceptGradient
    ahead = next.map((weight, place) => weight + push * (weight - weights[place]!))
    interceptAhead = nextIntercept + push * (nextIntercept - intercept)
    weights = next
    intercept = nextIntercept
    momentum = nextMomentum
  }
  return { weights }
}

/** The logistic function: any number to 0 to 1. */
export const logistic = (value: number): number => 1 / (1 + Math.exp(-value))
