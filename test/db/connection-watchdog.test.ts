import t from 'tap'
import { sql } from 'kysely'
import { connect } from '../../db/connection.js'
import { DatabaseUnreachable } from '../../db/errors.js'
import { testDatabase, testDatabaseUrl } from '../support/database.js'
import { proxyTo } from '../support/proxy.js'

// The embedded database is in this process: there is no network that could fail.
if (testDatabaseUrl !== undefined) {
  t.test('a server that is gone without a word', async t => {
    const { databaseUrl } = await testDatabase(t)
    const proxy = await proxyTo(new URL(databaseUrl!))
    t.teardown(proxy.close)
    const proxied = new URL(databaseUrl!)
    Object.assign(proxied, { hostname: '127.0.0.1', port: String(proxy.port) })
    const { db, close } = await connect({ databaseUrl: proxied.href, dataDir: '', name: 'test', share: false })
    t.teardown(close)
    const one = async () => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows
    const ends = async (work: Promise<unknown>) => t.ok(await work.then(() => undefined, error => error) instanceof DatabaseUnreachable, 'it ends, and says that the database cannot be reached')

    await t.test('leaves a statement alone that is only slow', async t => {
      const { rows } = await sql<{ slept: number }>`select 1 as slept from pg_sleep(4)`.execute(db)
      t.strictSame(rows, [{ slept: 1 }])
    })

    await t.test('is noticed by what waits for it, in a transaction and out of one', async () => {
      await Promise.all(Array.from({ length: 5 }, one))
      const waiting = [sql`select pg_sleep(600)`.execute(db), db.transaction().execute(async transaction => await sql`select pg_sleep(600)`.execute(transaction))]
      proxy.stuck()
      await Promise.all([...waiting, one(), one()].map(ends))
    })

    await t.test('is noticed by what comes later, and forgotten once it is back', async t => {
      await ends(one())
      await proxy.back()
      t.strictSame(await Promise.all(Array.from({ length: 12 }, one)), Array.from({ length: 12 }, () => [{ one: 1 }]), 'no connection of before is left')
    })
  })
}
