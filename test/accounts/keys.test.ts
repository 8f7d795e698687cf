import t from 'tap'
import { keyVerifier, maskKey, mintKey } from '../../src/accounts/keys.js'
import { createKey, deleteKeyByName, replaceKey } from '../../db/queries/keys.js'
import { testService } from '../support/service.js'

t.test('a key', async t => {
  let time = new Date('2026-11-20T10:00:00Z')
  const clock = () => time
  let sinceStart = 0
  const elapsed = () => sinceStart
  const pass = (milliseconds: number) => {
    time = new Date(time.getTime() + milliseconds)
    sinceStart += milliseconds
  }
  const service = await testService(t, {}, clock)
  const { db } = service.context
  const { context, key } = await service.user()
  const { id } = context.account

  await t.test('has a prefix and 190 random bits, both base62', async t => {
    const keys = await Promise.all(Array.from({ length: 5 }, mintKey))
    for (const each of keys) t.match(each.key, /^svcmcp_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}$/)
    t.equal(new Set(keys.map(({ prefix }) => prefix)).size, 5)
    t.notMatch(maskKey(keys[0]!.prefix), keys[0]!.key.split('_')[2])
  })

  await t.test('is verified once, then cached for less than a second', async t => {
    const verifier = keyVerifier(db, clock, elapsed)
    t.match(await verifier.verify(key), { accountId: id })
    const read = db.getExecutor().executeQuery
    let reads = 0
    db.getExecutor().executeQuery = async function (this: unknown, ...args: Parameters<typeof read>) {
      reads++
      return await read.apply(this, args)
    } as never
    pass(899)
    t.match(await verifier.verify(key), { accountId: id })
    t.equal(reads, 0)
    pass(100)
    t.match(await verifier.verify(key), { accountId: id })
    t.equal(reads, 1)
    db.getExecutor().executeQuery = read
  })

  await t.test('is verified once for concurrent calls', async t => {
    const verifier = keyVerifier(db, clock, elapsed)
    const callers = await Promise.all(Array.from({ length: 200 }, async () => await verifier.verify(key)))
    t.ok(callers.every(caller => caller?.accountId === id))
  })

  await t.test('records its last use to the minute', async t => {
    const verifier = keyVerifier(db, clock, elapsed)
    const used = async () => (await db.selectFrom('mcp_key').select('last_used_at').executeTakeFirstOrThrow()).last_used_at?.getTime()
    await verifier.verify(key)
    const first = await used()
    pass(10_000)
    await verifier.verify(key)
    t.equal(await used(), first)
    pass(60_000)
    await verifier.verify(key)
    t.equal(await used(), time.getTime())
  })

  await t.test('is refused within a second of replacement or deletion, even if cached', async t => {
    const verifier = keyVerifier(db, clock, elapsed)
    t.ok(await verifier.verify(key))
    const { key: next, ...stored } = await mintKey()
    await replaceKey(db, { account_id: id, name: 'Default', ...stored }, time)
    t.ok(await verifier.verify(next))
    pass(1000)
    t.equal(await verifier.verify(key), undefined)
    await deleteKeyByName(db, id, 'Default')
    pass(1000)
    time = new Date(time.getTime() - 3_600_000)
    t.equal(await verifier.verify(next), undefined, 'even if the clock was set back')
    pass(3_600_000)
  })

  await t.test('has its grant', async t => {
    const verifier = keyVerifier(db, clock, elapsed)
    const { key, ...stored } = await mintKey()
    await createKey(db, { account_id: id, name: 'Agent', scope: 'act', project_ids: [], created_at: time, ...stored }, 10)
    t.match(await verifier.verify(key), { accountId: id, key: { name: 'Agent', scope: 'act', projectIds: { length: 0 } } })
  })

  await t.test('is refused once expired, even if cached', async t => {
    const verifier = keyVerifier(db, clock, elapsed)
    const { key, ...stored } = await mintKey()
    await createKey(db, { account_id: id, name: 'Short', expires_at: new Date(time.getTime() + 500), created_at: time, ...stored }, 10)
    t.ok(await verifier.verify(key))
    pass(499)
    t.ok(await verifier.verify(key))
    pass(1)
    t.equal(await verifier.verify(key), undefined)
  })

  await t.test('is one of at most as many as an account may have, also of concurrent ones', async t => {
    const create = async (name: string) => {
      const { key: _key, ...stored } = await mintKey()
      return await createKey(db, { account_id: id, name, created_at: time, ...stored }, 4)
    }
    const created = await Promise.all(['One', 'Two', 'Three', 'Four', 'Five'].map(create))
    t.equal(created.filter(each => each === 'full').length, 3, 'there were two')
  })

  await t.test('is refused if malformed', async t => {
    const verifier = keyVerifier(db, clock, elapsed)
    for (const wrong of ['', 'svcmcp_', 'svcmcp__', `svcmcp_a_${'x'.repeat(1000)}`, 'svcmcp_a_b_c', "svcmcp_a'_b", `${key}\n`]) {
      t.equal(await verifier.verify(wrong), undefined, JSON.stringify(wrong).slice(0, 30))
    }
  })
})
