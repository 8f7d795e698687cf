import t from 'tap'
import { estimateRecall, probabilityOfAtMost, recallLevels, samplesOf, targetRecall } from '../../src/relevance/recall.js'
import { estimate, repeat, votes } from '../support/ratings.js'

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
})
