import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import argon2 from 'argon2'
import { type Purpose, verifySecret } from '../../src/accounts/argon2.js'
import { keyVerifier, mintKey } from '../../src/accounts/keys.js'
import { createKey } from '../../db/queries/keys.js'
import { testService } from '../support/service.js'

/* Which runs of argon2 start, in which order, and which are refused. The runs end when the test ends them. */

const turn = async () => await new Promise(resolve => setImmediate(resolve))

/** Holds argon2's verifications until the test ends them. @returns the secrets whose runs started, and how to end the first run */
function holdRuns (t: Test) {
  const original = argon2.verify
  const started: string[] = []
  const running: Array<(end: Error | boolean) => void> = []
  argon2.verify = async (_encoded, secret) =>
    await new Promise((resolve, reject) => {
      started.push(String(secret))
      running.push(end => { if (end instanceof Error) reject(end); else resolve(end) })
    })
  t.teardown(() => { argon2.verify = original })
  const endNext = async (end: Error | boolean = true) => {
    running.shift()!(end)
    await turn()
  }
  return { started, running, endNext }
}

const verify = async (name: string, lane: Purpose['lane'], origin = name) => await verifySecret('', name, { lane, origin })

t.test('two runs at most are concurrent, and one of them for strangers', async t => {
  const { started, running, endNext } = holdRuns(t)
  const strangers = [verify('first', 'stranger'), verify('second', 'stranger')]
  await turn()
  t.strictSame(started, ['first'])
  const known = [verify('key', 'key'), verify('another key', 'key')]
  await turn()
  t.strictSame(started, ['first', 'key'])
  await endNext()
  t.strictSame(started, ['first', 'key', 'second'], 'keys leave a run to strangers')
  t.equal(running.length, 2)
  await endNext()
  await endNext()
  await endNext()
  t.strictSame(await Promise.all([...strangers, ...known]), [true, true, true, true])
})

t.test('keys go before known devices, and these before strangers, but none takes both runs; the origins of each take turns', async t => {
  const { started, running, endNext } = holdRuns(t)
  const busy = [verify('busy', 'key'), verify('busy', 'key')]
  const waiting = [
    verify('stranger a', 'stranger', 'a'), verify('stranger a', 'stranger', 'a'), verify('stranger b', 'stranger', 'b'),
    verify('known a', 'known', 'a'), verify('known a', 'known', 'a'), verify('known b', 'known', 'b'),
    verify('key', 'key')
  ]
  await turn()
  while (running.length > 0) await endNext()
  t.strictSame(started.slice(2), ['known a', 'key', 'known b', 'stranger a', 'known a', 'stranger b', 'stranger a'])
  await Promise.all([...busy, ...waiting])
})

t.test('a run that fails makes room for the next', async t => {
  const { started, endNext } = holdRuns(t)
  const failing = Array.from({ length: 3 }, async () => await verify('failing', 'key'))
  const results = Promise.allSettled(failing)
  await turn()
  for (const end of [new Error('no memory'), new Error('no memory'), false]) await endNext(end)
  t.strictSame((await results).map(({ status }) => status), ['rejected', 'rejected', 'fulfilled'])
  const next = [verify('next', 'key'), verify('next', 'key')]
  await turn()
  t.strictSame(started.slice(3), ['next', 'next'])
  await endNext()
  await endNext()
  await Promise.all(next)
})

t.test('further runs are refused where 100 keys, 100 known devices or 1,000 strangers wait', async t => {
  const { running, endNext } = holdRuns(t)
  const all = [verify('busy', 'key'), verify('busy', 'key')]
  for (const [lane, maxWaiting] of [['key', 100], ['known', 100], ['stranger', 1000]] as const) {
    const queued = Array.from({ length: maxWaiting }, (_each, waiting) => verify('waiting', lane, `${waiting % 7}`))
    const origin = `${(maxWaiting - 1) % 7}`
    const refused = { code: 'unavailable', message: /Too many passwords and keys/ }
    await t.rejects(verify('one too many', lane, origin), refused)
    // Another origin gets a place, and the one with most waiting runs loses its last.
    all.push(verify('newcomer', lane))
    await t.rejects(queued.pop()!, refused)
    all.push(...queued)
  }
  await turn()
  while (running.length > 0) await endNext()
  t.strictSame(new Set(await Promise.all(all)), new Set([true]))
})

t.test('a key costs one run, and a wrong secret none', async t => {
  const service = await testService(t)
  const { context: { db, account: { id } } } = await service.user()
  const { key, ...stored } = await mintKey()
  await createKey(db, { account_id: id, name: 'Script', created_at: new Date(), ...stored }, 10)
  const original = argon2.verify
  t.teardown(() => { argon2.verify = original })
  let runs = 0
  argon2.verify = async (...args) => {
    runs++
    return await original(...args)
  }
  let time = 0
  const verifier = keyVerifier(db, () => new Date(), () => time)
  t.equal(await verifier.verify(`${key.slice(0, -4)}aaaa`), undefined)
  t.equal(runs, 0)
  const callers = await Promise.all(Array.from({ length: 50 }, async () => await verifier.verify(key)))
  t.ok(callers.every(caller => caller?.accountId === id))
  time = 5000
  t.match(await verifier.verify(key), { accountId: id })
  t.equal(runs, 1)
})

t.test('wrong secrets of a key that pass its check cost five runs a minute', async t => {
  const service = await testService(t)
  const { db, now } = service.context
  const { context: { account: { id } } } = await service.user()
  // The holder of a key can compute other secrets with the same check bytes. Here, those of a wrong secret are stored.
  const { key: _key, ...stored } = await mintKey()
  const wrongSecret = 'wrong'
  const secret_check = createHash('sha256').update(wrongSecret).digest().subarray(0, 4)
  await createKey(db, { account_id: id, name: 'Script', created_at: now(), ...stored, secret_check }, 10)
  let runs = 0
  const original = argon2.verify
  t.teardown(() => { argon2.verify = original })
  argon2.verify = async () => { runs++; return false }
  const verifier = keyVerifier(db, now)
  for (let call = 0; call < 8; call++) t.equal(await verifier.verify(`svcmcp_${stored.prefix}_${wrongSecret}`), undefined)
  t.equal(runs, 5)
})
