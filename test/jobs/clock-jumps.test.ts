import t from 'tap'
import { clockJumps } from '../../src/jobs/clock-jumps.js'

t.test('stalled jobs are not released until heartbeats follow a clock jump', async t => {
  for (const hours of [1, -1]) {
    let elapsed = 0
    let offset = 0
    const jumps = clockJumps(() => elapsed)
    const isSettledAfter = (milliseconds: number) => {
      elapsed += milliseconds
      return jumps.isSettled(new Date(Date.UTC(2026, 0, 1) + elapsed + offset))
    }
    t.equal(isSettledAfter(0), true, 'the first time')
    t.equal(isSettledAfter(5000), true)
    offset = hours * 60 * 60 * 1000
    t.equal(isSettledAfter(5000), false, `${hours} h`)
    t.equal(isSettledAfter(15_000), false)
    t.equal(isSettledAfter(5000), true)
    t.equal(isSettledAfter(60_000), true, 'a late tick is not a jump')
    jumps.unsettle()
    t.equal(isSettledAfter(15_000), false, 'the database did not answer')
    t.equal(isSettledAfter(5000), true)
  }
})
