import t from 'tap'
import { sql } from 'kysely'
import { connect } from '../../db/connection.js'
import { DatabaseUnreachable } from '../../db/errors.js'
import { testDatabase, testDatabaseUrl } from '../support/database.js'
import { proxyTo } from '../support/proxy.js'

// The embedded database is in this process: there is no network that could fail.
if (testDatabaseUrl !== undefined) {
  t.test('a silently disconnected server', async t => {
    const { databaseUrl } = await testDatabase(t)
    const proxy = await proxyTo(new URL(databaseUrl!))
    t.teardown(proxy.close)
    const proxied = new URL(databaseUrl!)
    Object.assign(proxied, { hostname: '127.0.0.1', port: String(proxy.port) })
    const { db, close } = await connect({ databaseUrl: proxied.href, dataDir: '', name: 'test', share: false })
    t.teardown(close)
    const selectOne = async () => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows
    const ends = async (work: Promise<unknown>) =>
      t.ok(
        (await work.then(
          () => undefined,
          error => error
        )) instanceof DatabaseUnreachable,
        'it ends, and says that the database cannot be reached'
      )

    await t.test('does not interrupt a slow statement', async t => {
      const { rows } = await sql<{ slept: number }>`select 1 as slept from pg_sleep(4)`.execute(db)
      t.strictSame(rows, [{ slept: 1 }])
    })

    await t.test('fails waiting statements inside and outside transactions', async () => {
      await Promise.all(Array.from({ length: 5 }, selectOne))
      const waiting = [
        sql`select pg_sleep(600)`.execute(db),
        db.transaction().execute(async transaction => await sql`select pg_sleep(600)`.execute(transaction))
      ]
      proxy.stuck()
      await Promise.all([...waiting, selectOne(), selectOne()].map(ends))
    })

    await t.test('fails later statements until it returns', async t => {
      await ends(selectOne())
      await proxy.back()
      t.strictSame(
        await Promise.all(Array.from({ length: 12 }, selectOne)),
        Array.from({ length: 12 }, () => [{ one: 1 }]),
        'no connection of before is left'
      )
    })
  })
}
