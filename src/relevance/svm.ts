import { product, type Vector } from './features.js'

/** A paper to learn from. */
export interface Example {
  vector: Vector
  isPositive: boolean
  /** Penalty of an error: the C of this example. */
  cost: number
}

const maxEpochs = 30
/** Training stops when no gradient of the dual exceeds this. */
const tolerance = 0.02

/**
 * A linear support vector machine with squared hinge loss, by dual coordinate descent. Deterministic.
 * @see Hsieh et al. 2008, A Dual Coordinate Descent Method for Large-scale Linear SVM, algorithm 1
 * @returns a weight for each feature; the intercept, which changes no order, is left out
 */
export function fitSvm (examples: readonly Example[], features: number): Float64Array {
  const weights = new Float64Array(features)
  let intercept = 0
  const multipliers = new Float64Array(examples.length)
  // Features outside the vocabulary are each example's own: they add to the diagonal of the dual alone.
  const diagonals = examples.map(({ vector, cost }) => 0.5 / cost + Math.max(1 - squaredLength(vector), 0))
  const curvatures = examples.map(({ vector }, at) => 1 + squaredLength(vector) + diagonals[at]!)
  const order = examples.map((_example, at) => at)
  const random = createRandom()
  for (let epoch = 0; epoch < maxEpochs; epoch++) {
    shuffle(order, random)
    let maxGradient = 0
    for (const at of order) {
      const { vector, isPositive } = examples[at]!
      const label = isPositive ? 1 : -1
      const before = multipliers[at]!
      const gradient = label * (product(weights, vector) + intercept) - 1 + before * diagonals[at]!
      if (before === 0 && gradient >= 0) continue
      maxGradient = Math.max(maxGradient, Math.abs(gradient))
      multipliers[at] = Math.max(before - gradient / curvatures[at]!, 0)
      const step = (multipliers[at]! - before) * label
      intercept += step
      for (let place = 0; place < vector.places.length; place++) weights[vector.places[place]!]! += step * vector.values[place]!
    }
    if (maxGradient < tolerance) break
  }
  return weights
}

const squaredLength = ({ values }: Vector) => values.reduce((sum, value) => sum + value * value, 0)

/** Fisher and Yates. */
function shuffle (items: number[], random: () => number): void {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other]!, items[at]!]
  }
}

/** The same numbers from 0 to 1 each time. @see Numerical Recipes, linear congruential generators */
function createRandom (): () => number {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
