import t from 'tap'
import { sql } from 'kysely'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { databaseRest, databaseTurn } from '../../src/sources/rate-limiter.js'
import { OutsideError } from '../../src/http/client.js'
import { patientFetch } from '../../src/sources/retry.js'
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

  await t.test('at the host of a feed that let a request run out of time are refused for a while, to every feed there', async t => {
    let asked = 0
    const fetch = patientFetch({ client: { fetch: async () => { asked++; return await hang() } }, source: { title: 'The feed' }, turn: (_url, work, pause) => turn(0, 'host feeds.example.org')(work, pause), rest: 120_000, signal: undefined })
    await t.rejects(fetch(new URL('https://feeds.example.org/a')), { fault: 'unavailable', message: /did not answer in time/ })
    await t.rejects(fetch(new URL('https://feeds.example.org/b')), { fault: 'rate_limited', message: /left alone until/ })
    t.equal(asked, 1)
  })
})

t.test('a host of webhooks that let a call run out of time is left alone for a while, and no other', async t => {
  const { context: { db } } = await testService(t)
  let asked = 0
  const call = async (host: string) => await databaseRest(db, { host, rest: 120_000 })(async () => {
    asked++
    if (host === 'slow.example.org') throw new OutsideError('timeout', 'slow.example.org did not answer within 15 s.')
    return 'taken'
  })
  t.equal(await call('quick.example.org'), 'taken')
  await t.rejects(call('slow.example.org'), { message: /within 15 s/ })
  await t.rejects(call('slow.example.org'), { fault: 'rate_limited', message: /slow\.example\.org did not answer in time, and is left alone until/ })
  t.equal(await call('quick.example.org'), 'taken')
  t.equal(asked, 3)
})

t.test('turns that are long over are forgotten, and those that count are not', async t => {
  const { context } = await testService(t)
  await sql`insert into source_turn (name, next_at) values ('long over', now() - interval '2 days'), ('lately', now()), ('to come', now() + interval '1 hour')`.execute(context.db)
  await maintenance.run(context, {})
  t.strictSame((await sql<{ name: string }>`select name from source_turn order by name`.execute(context.db)).rows.map(({ name }) => name), ['lately', 'to come'])
})
