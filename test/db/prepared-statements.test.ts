import t from 'tap'
import { once } from 'node:events'
import { connect as connectSocket, createServer } from 'node:net'
import { Transform } from 'node:stream'
import { sql } from 'kysely'
import { connect } from '../../db/connection.js'
import { FrequentStatements } from '../../db/prepared-statements.js'
import { testDatabase, testDatabaseUrl } from '../support/database.js'

t.test('frequent statements get names, within bounds', async t => {
  const statements = new FrequentStatements()
  const use = (text: string, times: number) => Array.from({ length: times }, () => statements.nameOf(text)).at(-1)
  t.equal(use('select 1', 49), undefined)
  t.equal(use('select 1', 1), 'litfeed_1')
  t.equal(use(`select '${'x'.repeat(20_000)}'`, 60), undefined, 'not long ones')
  t.equal(use('select 2', 49), undefined)
  for (let number = 0; number < 600; number++) use(`select seldom_${number}`, 1)
  t.equal(use('select 2', 1), undefined, 'not those whose uses are far apart')
  for (let number = 2; number <= 64; number++) t.equal(use(`select often_${number}`, 50), `litfeed_${number}`)
  t.equal(use('select 1', 1), 'litfeed_1')
  t.equal(use('select one_more', 50), 'litfeed_65')
  t.equal(use('select often_2', 1), undefined, 'the name that was used last the longest ago is given up')
  t.equal(use('select 1', 1), 'litfeed_1')
  statements.disable()
  t.equal(use('select 1', 100), undefined)
})

/** A proxy that, like a pooler, tells clients a process id of its own. @param delayMs of answers once a client is connected */
async function startPooler (address: URL, delayMs = 0): Promise<{ port: number, close: () => void }> {
  const server = createServer(client => {
    const upstream = connectSocket(Number(address.port || 5432), address.hostname)
    let isConnected = false
    const changePid = new Transform({
      transform (chunk: Buffer, _encoding, done) {
        // BackendKeyData: type, length 12, process id, secret.
        const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
        if (at !== -1) chunk.writeInt32BE(1, at + 5)
        // What a server asks before, such as a password, is not late.
        if (delayMs > 0 && isConnected) setTimeout(() => done(null, chunk), delayMs)
        else done(null, chunk)
        isConnected ||= at !== -1
      }
    })
    client.pipe(upstream).pipe(changePid).pipe(client)
    for (const [socket, other] of [[client, upstream], [upstream, client]] as const) {
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as { port: number }).port, close: () => server.close() }
}

if (testDatabaseUrl !== undefined) {
  t.test('PostgreSQL plans frequent statements once', async t => {
    const { databaseUrl } = await testDatabase(t)
    const open = async (url: string) => {
      const { db, close } = await connect({ databaseUrl: url, dataDir: '', name: 'test', share: false, poolSize: 1 })
      t.teardown(close)
      const read = async (number: number) => (await sql`select * from measured where number = ${number}`.execute(db)).rows
      return { db, read, named: async () => (await sql`select name from pg_prepared_statements`.execute(db)).rows.length }
    }
    const { db, read, named } = await open(databaseUrl!)
    await sql`create table measured (number int)`.execute(db)
    await sql`insert into measured values (7)`.execute(db)

    for (let time = 0; time < 60; time++) t.strictSame(await read(7), [{ number: 7 }])
    t.equal(await named(), 1)

    // Another process migrates. The statement that names all columns fails once.
    await sql`alter table measured add column unit text`.execute(db)
    await t.rejects(read(7), { code: '0A000' })
    for (let time = 0; time < 60; time++) t.strictSame(await read(7), [{ number: 7, unit: null }])

    const pooler = await startPooler(new URL(databaseUrl!))
    t.teardown(pooler.close)
    const pooled = await open(Object.assign(new URL(databaseUrl!), { port: String(pooler.port) }).href)
    for (let time = 0; time < 60; time++) await pooled.read(7)
    t.equal(await pooled.named(), 0, 'but none behind a pooler')

    const busy = await startPooler(new URL(databaseUrl!), 3000)
    t.teardown(busy.close)
    const late = await open(Object.assign(new URL(databaseUrl!), { port: String(busy.port) }).href)
    t.strictSame(await late.read(7), [{ number: 7, unit: null }], 'a busy pooler is awaited')
  })
}
