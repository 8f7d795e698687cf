import t from 'tap'
import { databaseTurn } from '../../src/operations/turns.js'
import { OutsideError } from '../../src/outside/client.js'
import { testService } from '../support/service.js'

t.test('turns at an outside service', async t => {
  const { context: { db } } = await testService(t)
  const turn = (rest = 0, group = 'host slow.example.org') => databaseTurn(db, { group, interval: 1, rest })
  const hang = async () => { throw new OutsideError('timeout', 'slow.example.org did not answer in time.') }

  await t.test('are given one at a time', async t => {
    let [inside, most] = [0, 0]
    await Promise.all(Array.from({ length: 5 }, async () => await turn()(async () => {
      most = Math.max(most, ++inside)
      await new Promise(resolve => setTimeout(resolve, 5))
      inside--
    })))
    t.equal(most, 1)
  })

  await t.test('at one that did not answer are refused to all who wait, who need not hang one after another', async t => {
    let asked = 0
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, async () => await turn(120_000)(async () => { asked++; return await hang() })))
    t.equal(asked, 1)
    t.strictSame(outcomes.map(outcome => (outcome as PromiseRejectedResult).reason.fault).sort(), ['rate_limited', 'rate_limited', 'rate_limited', 'rate_limited', 'timeout'])
    t.equal(await turn(0, 'host another.example.org')(async () => 'answered'), 'answered')
  })
})
