import t from 'tap'
import { estimateRecall, probabilityOfAtMost, type Rating, recallLevels, samplesOf, targetRecall } from '../../src/relevance/recall.js'

/** Votes one after another on papers that were all there before. */
const votes = (...relevant: boolean[]): Rating[] => relevant.map((isRelevant, at) => ({ isRelevant, ratedAt: 1000 + at, addedAt: 0 }))
const repeat = (isRelevant: boolean, count: number) => Array.from({ length: count }, () => isRelevant)
const estimate = (ratings: Rating[], unrated: number, since = 0) =>
  estimateRecall({ ratings, unrated, unratedSince: samplesOf(ratings).map(() => since) })

/** Reproducible numbers from 0 to 1. @see Numerical Recipes, linear congruential generators */
function randomOf (seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

t.test('the tail of the hypergeometric distribution', async t => {
  await t.test('equals a count by hand', async t => {
    // Of 210 ways to draw 4 of 10 papers, 35 have none of 3 relevant ones, 105 have one, 63 have two.
    const urn = { size: 10, relevant: 3, drawn: 4 }
    for (const [found, ways] of [[0, 35], [1, 140], [2, 203], [3, 210]] as const) {
      t.ok(Math.abs(probabilityOfAtMost(found, urn) - ways / 210) < 1e-6, `at most ${found}`)
    }
  })

  await t.test('is 0 for fewer than must have been drawn, and exact where everything was', async t => {
    t.equal(probabilityOfAtMost(0, { size: 10, relevant: 5, drawn: 8 }), 0)
    t.equal(probabilityOfAtMost(5, { size: 10, relevant: 5, drawn: 10 }), 1)
  })

  await t.test('is a number in large feeds too', async t => {
    const tail = probabilityOfAtMost(150, { size: 100_000, relevant: 400, drawn: 50_000 })
    t.ok(tail > 0 && tail < 1e-5)
    t.ok(probabilityOfAtMost(250, { size: 100_000, relevant: 400, drawn: 50_000 }) > 0.999)
    t.ok(probabilityOfAtMost(500, { size: 100_000, relevant: 501, drawn: 600 }) > 0.999, 'far above the mean')
  })
})

t.test('the estimate of recall', async t => {
  await t.test('promises nothing before something relevant was found', async t => {
    t.match(estimate(votes(...repeat(false, 50)), 50), { relevant: 0, minRecall: 0, isReached: false })
    t.match(estimate([], 50), { relevant: 0, maxMissing: 50, isReached: false })
  })

  await t.test('says that nothing matters once votes show that no relevant paper can be left', async t => {
    const [before, after] = [50, 59].map(count => estimate(votes(...repeat(false, count)), 60 - count))
    t.match(before, { relevant: 0, isReached: false })
    t.ok(before!.maxMissing > 0)
    t.match(after, { relevant: 0, maxMissing: 0, minRecall: 1, isReached: true, votesToTarget: 0, next: null })
  })

  await t.test('rises with irrelevant papers after the last relevant one', async t => {
    const bounds = [0, 20, 40, 80].map(count => estimate(votes(...repeat(true, 40), ...repeat(false, count)), 500 - count).minRecall)
    t.strictSame(bounds, [...bounds].sort((a, b) => a - b))
    t.ok(bounds[3]! > bounds[0]! + 0.2)
  })

  await t.test('has a median below its bound', async t => {
    const { likelyMissing, maxMissing } = estimate(votes(...repeat(true, 40), ...repeat(false, 40)), 460)
    t.ok(likelyMissing > 0 && likelyMissing < maxMissing / 2, `${likelyMissing} and ${maxMissing}`)
  })

  await t.test('says how many votes reach the target, exactly', async t => {
    const found = [...repeat(true, 40), ...repeat(false, 20)]
    const { votesToTarget, isReached } = estimate(votes(...found), 480)
    t.equal(isReached, false)
    const after = (count: number) => estimate(votes(...found, ...repeat(false, count)), 480 - count)
    t.match(after(votesToTarget), { isReached: true, votesToTarget: 0 })
    t.equal(after(votesToTarget - 1).isReached, false)
    t.ok(after(votesToTarget).minRecall >= targetRecall)
  })

  await t.test('names the highest recall that the votes prove, and exactly how many more votes the next level takes', async t => {
    const found = repeat(true, 60)
    const levels: Array<number | null> = []
    let seen = 0
    for (let next = estimate(votes(...found), 400).next; next !== null;) {
      const { level, votes: more } = next
      const after = (count: number) => estimate(votes(...found, ...repeat(false, seen + count)), 400 - seen - count)
      t.ok((after(more - 1).level ?? 0) < level, `not before ${more} more votes`)
      const reached = after(more)
      t.ok(reached.minRecall >= reached.level! && reached.level! >= level)
      levels.push(reached.level)
      seen += more
      next = reached.next
    }
    t.strictSame(levels, [...recallLevels])
    t.match(estimate(votes(...found), 400), { level: null, next: { level: 0.8 } })
    t.match(estimate(votes(...found), 0), { level: 0.98, next: null })
    t.match(estimate(votes(...repeat(false, 50)), 50), { level: null }, 'nothing relevant shows nothing')
  })

  await t.test('is certain when everything is rated', async t => {
    t.match(estimate(votes(true, false, true), 0), { maxMissing: 0, minRecall: 1, isReached: true, votesToTarget: 0 })
    t.match(estimate(votes(false, false), 0), { relevant: 0, minRecall: 1, isReached: true, next: null }, 'also if nothing matters')
    t.match(estimate([], 0), { minRecall: 0, isReached: false }, 'but not before the first vote')
  })

  await t.test('takes papers that were added since for relevant, until newer votes tell', async t => {
    const rated = votes(...repeat(true, 40), ...repeat(false, 150))
    t.equal(estimate(rated, 60).isReached, true)
    const grown = estimate(rated, 90, 30)
    t.equal(grown.isReached, false)
    t.ok(grown.maxMissing >= 30)
    // Thirty votes on the new papers start another sample, which has all of the feed.
    const newer = Array.from({ length: 25 }, (_, at) => ({ isRelevant: false, ratedAt: 5000 + at, addedAt: 4000 }))
    const ratings = [...rated, ...newer]
    const unratedSince = samplesOf(ratings).map(({ startsAt }) => startsAt >= 4000 ? 0 : 5)
    t.ok(estimateRecall({ ratings, unrated: 65, unratedSince }).maxMissing < grown.maxMissing)
  })

  await t.test('counts votes on papers that scored below the unrated ones in part', async t => {
    const rated = votes(...repeat(true, 40), ...repeat(false, 150))
    const after = (weight: number | null) => estimateRecall({
      ratings: rated.map(rating => ({ ...rating, weight: rating.isRelevant ? 1 : weight })),
      unrated: 60,
      unratedSince: samplesOf(rated).map(() => 0)
    })
    t.match(after(null), { isReached: true, isOrderKnown: false, votesThatCount: 1 })
    t.match(after(1), { isReached: true, isOrderKnown: true, votesThatCount: 1 }, 'not on worse papers')
    t.match(after(0.1), { isReached: false, isOrderKnown: true }, 'the worst first')
    t.ok(after(0.1).maxMissing > after(0.5).maxMissing && after(0.5).maxMissing > after(1).maxMissing)
    t.ok(Math.abs(after(0.1).votesThatCount - (40 + 15) / 190) < 1e-9)
  })

  await t.test('draws from papers that are not in the feed any more too', async t => {
    const ratings = votes(...repeat(true, 10), ...repeat(false, 30))
    const since = (left: number) => ({ unratedSince: samplesOf(ratings).map(() => 0), leftSince: samplesOf(ratings).map(() => left) })
    t.equal(estimateRecall({ ratings, unrated: 30, ...since(50) }).maxMissing, estimate(ratings, 80).maxMissing)
    t.ok(estimate(ratings, 30).maxMissing < estimate(ratings, 80).maxMissing)
  })

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
