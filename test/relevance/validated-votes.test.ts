import t from 'tap'
import { validatedVotes } from '../../src/relevance/validated-votes.js'

const votes = (count: number, isLiked: boolean, { isSeed = false, trust = 1 } = {}) =>
  Array.from({ length: count }, (_each, at) => ({ at, isLiked, isSeed, trust }))
const counts = (chosen: ReturnType<typeof votes>) => ({
  liked: chosen.filter(({ isLiked, isSeed }) => isLiked && !isSeed).length,
  disliked: chosen.filter(({ isLiked, isSeed }) => !isLiked && !isSeed).length,
  seeds: chosen.filter(({ isSeed }) => isSeed).length
})

t.test('up to 500 votes are all validated, in their order', async t => {
  const all = [...votes(300, false), ...votes(100, true), ...votes(100, true, { isSeed: true })]
  t.equal(validatedVotes(all), all)
})

t.test('of more votes, the newest of either side are, in the proportion of all', async t => {
  const chosen = validatedVotes([...votes(600, false), ...votes(200, true)])
  t.strictSame(counts([...chosen]), { liked: 125, disliked: 375, seeds: 0 })
  t.ok(chosen.every(({ at, isLiked }) => at < (isLiked ? 125 : 375)))
  t.strictSame(counts([...validatedVotes([...votes(4997, false), ...votes(3, true)])]), { liked: 3, disliked: 497, seeds: 0 })
  t.strictSame(counts([...validatedVotes([...votes(4993, true), ...votes(7, false)])]), { liked: 495, disliked: 5, seeds: 0 })
})

t.test('votes of a former interest count in the proportion as far as they are trusted', async t => {
  const former = { trust: 0.05 }
  const chosen = validatedVotes([
    ...votes(100, true), ...votes(400, false), ...votes(400, true, former), ...votes(100, false, former)
  ])
  const trustOf = (liked: boolean) => chosen.filter(({ isLiked }) => isLiked === liked).reduce((sum, { trust }) => sum + trust, 0)
  t.equal(chosen.length, 500)
  t.ok(Math.abs(trustOf(true) / trustOf(false) - 120 / 405) < 0.005, `${trustOf(true)} ${trustOf(false)}`)
})

t.test('papers that their owner brought along get the places that other votes leave, and a few at least', async t => {
  const seeds = votes(600, true, { isSeed: true })
  t.strictSame(counts([...validatedVotes([...seeds, ...votes(60, true), ...votes(40, false)])]), { liked: 60, disliked: 40, seeds: 400 })
  t.strictSame(counts([...validatedVotes([...votes(1000, false), ...seeds])]), { liked: 0, disliked: 450, seeds: 50 })
})
