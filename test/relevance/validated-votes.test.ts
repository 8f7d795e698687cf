import t from 'tap'
import { validatedVotes } from '../../src/relevance/validated-votes.js'

const votes = (count: number, isLiked: boolean, { isSeed = false } = {}) =>
  Array.from({ length: count }, (_each, at) => ({ at, isLiked, isSeed }))
const counts = (chosen: ReturnType<typeof votes>) => ({
  liked: chosen.filter(({ isLiked, isSeed }) => isLiked && !isSeed).length,
  disliked: chosen.filter(({ isLiked, isSeed }) => !isLiked && !isSeed).length,
  seeds: chosen.filter(({ isSeed }) => isSeed).length
})

t.test('up to 500 votes are all validated, in their order', async t => {
  const all = [...votes(300, false), ...votes(100, true), ...votes(100, true, { isSeed: true })]
  t.equal(validatedVotes(all), all)
})

t.test('of more votes, the newest are, with the share of upvotes that they have', async t => {
  const former = [...votes(750, true), ...votes(750, false)]
  t.strictSame(counts([...validatedVotes([...votes(450, false), ...votes(50, true), ...former])]), { liked: 50, disliked: 450, seeds: 0 })
})

t.test('after a long run of one kind, a few of the other are among them', async t => {
  const chosen = validatedVotes([...votes(600, false), ...votes(200, true)])
  t.strictSame(counts([...chosen]), { liked: 25, disliked: 475, seeds: 0 })
  t.ok(chosen.every(({ at, isLiked }) => at < (isLiked ? 25 : 475)), 'the newest of either kind')
  t.strictSame(counts([...validatedVotes([...votes(4997, false), ...votes(3, true)])]), { liked: 3, disliked: 497, seeds: 0 })
  t.strictSame(counts([...validatedVotes([...votes(4993, true), ...votes(7, false)])]), { liked: 493, disliked: 7, seeds: 0 })
})

t.test('papers that their owner brought along get the places that other votes leave, and a few at least', async t => {
  const seeds = votes(600, true, { isSeed: true })
  t.strictSame(counts([...validatedVotes([...seeds, ...votes(60, true), ...votes(40, false)])]), { liked: 60, disliked: 40, seeds: 400 })
  t.strictSame(counts([...validatedVotes([...votes(1000, false), ...seeds])]), { liked: 0, disliked: 450, seeds: 50 })
})
