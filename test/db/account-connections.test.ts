import { sql } from 'kysely'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { connect } from '../../db/connection.js'
import { DatabaseUnreachable, NoConnectionFree } from '../../db/errors.js'
import { connectionTimeoutMs, testDatabase, testDatabaseUrl } from '../support/database.js'
import { until } from '../support/until.js'

const [busy, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']

t.test('the connections of one account', async t => {
  const { dbFor, pool, kind, close } = await connect({
    ...await testDatabase(t),
    name: 'a test',
    share: false,
    poolSize: 8,
    connectionTimeoutMs
  })
  t.teardown(close)

  t.test('are limited, so that calls of other accounts find one', async t => {
    // Both statements and transactions; the embedded database runs one transaction of an account at a time.
    const work = Array.from({ length: 30 }, (_each, at) => at % 2 === 0
      ? sql`select pg_sleep(0.05)`.execute(dbFor(busy))
      : dbFor(busy).transaction().execute(async transaction => { await sql`select pg_sleep(0.05)`.execute(transaction) }))
    t.equal((await sql`select 1`.execute(dbFor(other))).rows.length, 1)
    t.equal(pool().waiting, 0, 'nobody waits for the pool')
    t.ok(pool().inUse <= 6, `${pool().inUse} connections`)
    await Promise.all(work)
  })

  t.test('run one transaction at a time on the embedded database, and statements of others between two', async t => {
    if (kind === 'postgresql') return
    // Opens connections.
    await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.01)`.execute(dbFor(other))))
    const order: string[] = []
    const work = Array.from({ length: 6 }, () => dbFor(busy).transaction().execute(async transaction => {
      await sql`select 1`.execute(transaction)
      // Arrives during the transaction, and waits for its end alone.
      if (order.length === 0) {
        order.push('asked')
        asked = sql`select 1`.execute(dbFor(other)).then(() => order.push('other'))
      }
      await sql`select pg_sleep(0.05)`.execute(transaction)
      order.push('busy')
    }))
    let asked: Promise<unknown> = Promise.resolve()
    await Promise.all(work)
    await asked
    t.strictSame(order.slice(0, 3), ['asked', 'busy', 'other'])
  })

  t.test('are free again after errors', async t => {
    await Promise.allSettled(Array.from({ length: 30 }, () => sql`select 1 / 0`.execute(dbFor(busy))))
    await Promise.allSettled(Array.from({ length: 30 }, () => dbFor(busy).transaction().execute(async () => { throw new Error('no') })))
    t.strictSame((await sql`select 1 as one`.execute(dbFor(busy))).rows, [{ one: 1 }])
  })
})

t.test('statements that wait for an unreachable server all fail with the first', async t => {
  // Accepts connections and never answers.
  let connections = 0
  const server = createServer(() => { connections++ }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const { dbFor, close } = await connect({ databaseUrl: `postgres://127.0.0.1:${port}/none`, dataDir: '', name: 'a test', share: false })
  t.teardown(async () => {
    await close()
    server.close()
  })
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => sql`select 1`.execute(dbFor(busy))))
  t.ok(results.every(result => result.status === 'rejected' && result.reason instanceof DatabaseUnreachable))
  t.ok(connections <= 6, `not one group after another: ${connections} connections`)
})

const ofPool = { skip: testDatabaseUrl === undefined }

t.test('a statement waits for a connection of its account, and then for one of the pool, no longer than for one alone', ofPool, async t => {
  const connectionTimeoutMs = 1500
  const { db, dbFor, pool, close } = await connect({
    ...await testDatabase(t),
    name: 'a test',
    share: false,
    poolSize: 6,
    connectionTimeoutMs
  })
  t.teardown(close)
  const gate = () => {
    let open = () => {}
    return { opened: new Promise<void>(resolve => { open = resolve }), open: () => open() }
  }
  const hold = async (by: typeof db, opened: Promise<void>) => await by.transaction().execute(async transaction => {
    await sql`select 1`.execute(transaction)
    await opened
  })
  const one = async (by: typeof db) => (await sql<{ one: number }>`select 1 as one`.execute(by)).rows
  const [first, second] = [gate(), gate()]
  const work = Array.from({ length: 5 }, async () => await hold(dbFor(busy), first.opened))
  t.strictSame(await one(dbFor(other)), [{ one: 1 }], 'another account finds one')
  await t.rejects(one(dbFor(busy)), NoConnectionFree, 'its own does not')

  // Its connections become free after two thirds of the time, when others wait for those of the pool.
  const ended: string[] = []
  const late = t.rejects(one(dbFor(busy)), NoConnectionFree).then(() => ended.push('late'))
  await sleep(1000)
  const others = Array.from({ length: 12 }, async () => await hold(db, second.opened).catch(() => ended.push('other')))
  first.open()
  await late
  t.strictSame(ended, ['late'], 'before those that began to wait later')
  second.open()
  await Promise.all([...work, ...others])
  t.strictSame(await one(dbFor(busy)), [{ one: 1 }])
  await until(async () => pool().inUse === 0)
  t.equal(pool().waiting, 0, 'a connection that came too late is given back')
})
