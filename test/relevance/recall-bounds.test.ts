import t from 'tap'
import { estimateRecall, type Rating, recallLevels, samplesOf, targetRecall } from '../../src/relevance/recall.js'
import { estimate, votes } from '../support/ratings.js'

/* Simulations: what the estimate promises holds as often as it says. */

/** Reproducible numbers from 0 to 1. @see Numerical Recipes, linear congruential generators */
function randomOf (seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

t.test('the estimate of recall', async t => {
  await t.test('has a bound that holds at any time, and is no overstatement, for papers in random order', async t => {
    const random = randomOf(11)
    for (const [papers, relevant, rated] of [[500, 50, 250], [500, 100, 250], [300, 30, 200]] as const) {
      const [runs, figures] = [500, { held: 0, estimates: 0, truth: 0 }]
      for (let run = 0; run < runs; run++) {
        const order = Array.from({ length: papers }, (_, at) => ({ isRelevant: at < relevant, key: random() }))
          .sort((a, b) => a.key - b.key)
        const ratings = votes(...order.slice(0, rated).map(({ isRelevant }) => isRelevant))
        const { relevant: found, minRecall, likelyMissing } = estimate(ratings, papers - rated)
        if (minRecall <= found / relevant) figures.held++
        figures.truth += found / relevant / runs
        figures.estimates += found / (found + likelyMissing) / runs
      }
      // Of so many runs, 1 % fewer than the promised 95 % would be chance.
      t.ok(figures.held >= 0.94 * runs, `${figures.held} of ${runs} bounds hold`)
      t.ok(Math.abs(figures.estimates - figures.truth) < 0.03, `estimates of ${figures.estimates} for ${figures.truth}`)
    }
  })

  await t.test('holds for every level with many relevant papers, read after each vote', async t => {
    const random = randomOf(7)
    const [papers, relevant, runs] = [300, 100, 60]
    const wrong = new Map(recallLevels.map(level => [level, 0]))
    for (let run = 0; run < runs; run++) {
      const order = Array.from({ length: papers }, (_, at) => ({ isRelevant: at < relevant, key: random() })).sort((a, b) => a.key - b.key)
      const stated = new Set<number>()
      for (let rated = papers / 2; rated < papers && stated.size < recallLevels.length; rated++) {
        const ratings = votes(...order.slice(0, rated).map(({ isRelevant }) => isRelevant))
        const found = ratings.filter(({ isRelevant }) => isRelevant).length
        const { level } = estimate(ratings, papers - rated)
        for (const reached of recallLevels.filter(each => each <= (level ?? 0) && !stated.has(each))) {
          stated.add(reached)
          if (found < reached * relevant) wrong.set(reached, wrong.get(reached)! + 1)
        }
      }
    }
    for (const [level, count] of wrong) t.ok(count <= 0.05 * runs, `${count} of ${runs} statements of ${level} are false`)
  })

  await t.test('holds in at least 95 % of stops where papers are rated in other orders than the best first', async t => {
    const random = randomOf(3)
    // What scores predict: the papers of a tenth of them have two in three of the relevant ones.
    const paper = (at: number) => {
      const score = at % 10 === 0 ? 0.5 : 0.03
      return { isRelevant: random() < score, score, key: random() }
    }
    const orders = {
      random: ({ key }: ReturnType<typeof paper>) => key,
      'worst first': ({ key, score }: ReturnType<typeof paper>) => key + score * 10,
      'a part of the best, then the worst': ({ key, score }: ReturnType<typeof paper>) => score > 0.1 && key < 0.5 ? -1 : key + score * 10
    }
    for (const [name, keyOf] of Object.entries(orders)) {
      let [stops, right] = [0, 0]
      for (let run = 0; run < 60; run++) {
        const order = Array.from({ length: 400 }, (_each, at) => paper(at)).sort((a, b) => keyOf(a) - keyOf(b))
        const relevant = order.filter(({ isRelevant }) => isRelevant).length
        let left = order.reduce((sum, { score }) => sum + score, 0)
        const weighted = order.map(({ isRelevant, score }, at) => {
          const weight = Math.min(1, score * (order.length - at) / left)
          left -= score
          return { isRelevant, weight, ratedAt: 1000 + at, addedAt: 0 }
        })
        for (let rated = 20; rated < order.length; rated += 20) {
          const ratings = weighted.slice(0, rated)
          const unratedSince = samplesOf(ratings).map(() => 0)
          if (!estimateRecall({ ratings, unrated: order.length - rated, unratedSince }).isReached) continue
          stops++
          if (ratings.filter(rating => rating.isRelevant).length >= targetRecall * relevant) right++
          break
        }
      }
      t.ok(right >= 0.95 * stops, `${name}: ${right} of ${stops} stops`)
    }
  })

  await t.test('holds in at least 95 % of stops, for orders from random to good', async t => {
    const random = randomOf(5)
    let [stops, right] = [0, 0]
    for (let run = 0; run < 120; run++) {
      const [papers, relevant, skill] = [400, 60, 3 * random()]
      const order = Array.from({ length: papers }, (_, at) => {
        const isRelevant = at < relevant
        return { isRelevant, key: random() - (isRelevant ? skill * random() : 0) }
      }).sort((a, b) => a.key - b.key)
      const ratings: Rating[] = []
      for (const { isRelevant } of order) {
        ratings.push({ isRelevant, ratedAt: 1000 + ratings.length, addedAt: 0 })
        if (ratings.length % 20 > 0 || ratings.length === papers || !estimate(ratings, papers - ratings.length).isReached) continue
        stops++
        if (ratings.filter(rating => rating.isRelevant).length >= targetRecall * relevant) right++
        break
      }
    }
    t.ok(stops > 60, `${stops} stops`)
    t.ok(right >= 0.95 * stops, `${right} of ${stops} stops`)
  })
})
