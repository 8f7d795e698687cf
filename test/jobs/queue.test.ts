import t from 'tap'
import { sql } from 'kysely'
import { connect } from '../../db/connection.js'
import { openQueue } from '../../db/queue.js'
import { testDatabase } from '../support/database.js'

t.test('the queue is opened by several processes at once, and leaves no connection in a broken transaction', async t => {
  const { databaseUrl, dataDir } = await testDatabase(t)
  const open = async () => await connect({ databaseUrl, dataDir, name: 'test', share: true })
  const first = await open()
  t.teardown(first.close)
  await sql`drop schema if exists pgboss cascade`.execute(first.db)
  const others = await Promise.all(Array.from({ length: 5 }, open))
  const deliveries = [{ task: 'convert-markdown', deadline: 1, retries: 1, retryDelay: 1 }, { task: 'send-alert', deadline: 1, retries: 1, retryDelay: 1 }] as const
  const faults: Error[] = []
  await Promise.all(others.map(async connection => await openQueue(connection, deliveries, cause => { faults.push(cause) }).ready()))
  t.strictSame(faults, [])
  for (const { db } of others) {
    const ones = await Promise.all(Array.from({ length: 10 }, async () => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]!.one))
    t.strictSame(ones, Array.from({ length: 10 }, () => 1))
  }
  t.strictSame((await sql`select name from pgboss.queue order by name`.execute(first.db)).rows, [{ name: 'convert-markdown' }, { name: 'send-alert' }])
  for (const { close } of others) await close()
})
