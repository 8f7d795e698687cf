import type { ScreenedPaper } from './screening-sets.js'

/*
 * A port of ASReview's ELAS u4, the best published screener of its benchmark: TF-IDF of words and pairs with sublinear counts, and a linear
 * support vector machine with squared hinge loss (C 0.11) in which all irrelevant papers together weigh 1 / 9.8 of all relevant ones.
 * @see https://github.com/asreview/asreview, asreview/models/models.py; scikit-learn 1.2 TfidfVectorizer and LinearSVC; Hsieh et al. 2008,
 * A dual coordinate descent method for large-scale linear SVM
 */

const [cost, ratio, maxShare] = [0.11, 9.8, 0.95]
const [maxIterations, tolerance] = [1000, 1e-4]

/** A sparse vector of unit length. */
interface Vector { indices: Int32Array, values: Float64Array }

/** Trains on rated papers of a set and ranks the others. */
export class U4 {
  readonly #vectors = new Map<ScreenedPaper, Vector>()
  readonly #size: number

  constructor (papers: readonly ScreenedPaper[]) {
    const counted = papers.map(paper => countsOf(`${paper.title} ${paper.abstract ?? ''}`))
    const frequencies = new Map<string, number>()
    for (const counts of counted) for (const term of counts.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
    const places = new Map<string, number>()
    for (const [term, frequency] of frequencies) if (frequency <= maxShare * papers.length) places.set(term, places.size)
    this.#size = places.size
    const idf = (term: string) => Math.log((1 + papers.length) / (1 + frequencies.get(term)!)) + 1
    for (const [at, counts] of counted.entries()) {
      const terms = [...counts].filter(([term]) => places.has(term))
      const values = Float64Array.from(terms, ([term, count]) => (1 + Math.log(count)) * idf(term))
      const norm = Math.hypot(...values) || 1
      const indices = Int32Array.from(terms, ([term]) => places.get(term)!)
      this.#vectors.set(papers[at]!, { indices, values: values.map(value => value / norm) })
    }
  }

  /** Best first. @param random numbers from 0 to 1, for the order in which the solver visits rows */
  rank (rated: readonly ScreenedPaper[], others: readonly ScreenedPaper[], random: () => number): ScreenedPaper[] {
    const weights = this.#train(rated, random)
    return others.map(paper => ({ paper, score: product(this.#vectors.get(paper)!, weights) }))
      .sort((a, b) => b.score - a.score).map(({ paper }) => paper)
  }

  /** The last weight is the intercept's, which is regularized like the others. */
  #train (rated: readonly ScreenedPaper[], random: () => number): Float64Array {
    const weights = new Float64Array(this.#size + 1)
    const relevant = rated.filter(({ included }) => included).length
    const irrelevant = rated.length - relevant
    // Scaled so that the weights of all rows sum up to their number.
    const [upper, lower] = [1 / relevant, 1 / (ratio * irrelevant)]
    const scale = rated.length / (relevant * upper + irrelevant * lower)
    const rows = rated.map(paper => {
      const vector = this.#vectors.get(paper)!
      const diagonal = 1 / (2 * cost * scale * (paper.included ? upper : lower))
      const norm = vector.values.reduce((sum, value) => sum + value * value, 1)
      return { vector, sign: paper.included ? 1 : -1, diagonal, curvature: norm + diagonal, alpha: 0 }
    })
    for (let iteration = 0; iteration < maxIterations; iteration++) {
      let [highest, lowest] = [-Infinity, Infinity]
      shuffle(rows, random)
      for (const row of rows) {
        const { vector, sign, diagonal, curvature, alpha } = row
        const gradient = sign * product(vector, weights) - 1 + diagonal * alpha
        const projected = alpha === 0 ? Math.min(gradient, 0) : gradient
        highest = Math.max(highest, projected)
        lowest = Math.min(lowest, projected)
        if (projected === 0) continue
        row.alpha = Math.max(alpha - gradient / curvature, 0)
        const step = (row.alpha - alpha) * sign
        for (let at = 0; at < vector.indices.length; at++) weights[vector.indices[at]!]! += step * vector.values[at]!
        weights[this.#size]! += step
      }
      if (highest - lowest <= tolerance) break
    }
    return weights
  }
}

/** Words of two letters or more, and pairs of them. */
function countsOf (text: string): Map<string, number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []
  const counts = new Map<string, number>()
  for (const [at, word] of words.entries()) {
    for (const term of at === 0 ? [word] : [word, `${words[at - 1]!} ${word}`]) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

function product ({ indices, values }: Vector, weights: Float64Array): number {
  let sum = weights[weights.length - 1]!
  for (let at = 0; at < indices.length; at++) sum += values[at]! * weights[indices[at]!]!
  return sum
}

function shuffle (rows: unknown[], random: () => number): void {
  for (let at = rows.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const row = rows[at]
    rows[at] = rows[other]
    rows[other] = row
  }
}
