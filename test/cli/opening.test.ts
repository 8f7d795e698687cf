import t, { type Test } from 'tap'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { connect } from '../../db/connection.js'
import { commandLine } from '../support/command-line.js'
import { temporaryDirectory } from '../support/database.js'

/** An empty embedded database, also at an address, as PostgreSQL has one. */
async function emptyDatabase (t: Test) {
  const dataDir = temporaryDirectory(t)
  const { db, ...connection } = await connect({ dataDir, name: 'a test', share: false })
  let closing: Promise<void> | undefined
  const close = async () => await (closing ??= connection.close())
  t.teardown(close)
  const { socketDirectory } = JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8'))
  return { db, close, dataDir, url: `postgres://postgres@/postgres?host=${socketDirectory}` }
}

t.test('a migration that fails says why, and what to do', async t => {
  const { db, dataDir, url } = await emptyDatabase(t)
  const { run } = commandLine(dataDir, url)
  await sql`create type kysely_migration as enum ('a')`.execute(db)
  t.match(await run(['migrate']), { code: 1, stderr: '(type "kysely_migration" already exists)' })
  await sql`drop type kysely_migration`.execute(db)

  const failWith = async (state: string, message: string) =>
    await sql`create or replace function fail() returns trigger language plpgsql as ${sql.raw(
      `$$ begin raise exception '${message}' using errcode = '${state}'; end $$`
    )}`.execute(db)
  await failWith('XX000', 'nothing yet')
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  await sql`create trigger fail before insert on kysely_migration for each row execute function fail()`.execute(db)
  const cases: Array<[state: string, message: string, advice: string]> = [
    ['42501', 'permission denied for schema public', 'may not create what Litfeed needs. Make it the owner of the database: ALTER'],
    ['0A000', 'extension "btree_gin" is not available', 'lacks the extension btree_gin. Install PostgreSQL\'s contrib package'],
    ['42601', 'syntax error at or near "nulls"', 'rejected a statement. Litfeed needs version 15 or newer.'],
    ['25006', 'cannot execute CREATE TABLE in a read-only transaction', 'The database rejects writes'],
    ['57P01', 'terminating connection', 'is unreachable. Check that it is running'],
    ['XX000', 'something else', 'The database reported an error.']
  ]
  for (const [state, message, advice] of cases) {
    await failWith(state, message)
    const { code, stderr } = await run(['migrate'])
    t.equal(code, 1, state)
    t.ok(stderr.includes(advice), stderr)
    t.ok(stderr.endsWith(`(${message})\n`), stderr)
  }
  await sql`alter table kysely_migration rename column name to other`.execute(db)
  t.match((await run(['doctor'])).stdout, /FAIL {2}database: .* \(column "name" does not exist\)/)
})

t.test('a certificate that is not trusted is named, and what to add', async t => {
  const server = new SMTPServer({ secure: true })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>(resolve => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  const address = `postgres://litfeed@127.0.0.1:${port}/litfeed?sslmode=verify-full&sslnegotiation=direct`
  t.match(await commandLine(temporaryDirectory(t), address).run(['migrate']), {
    code: 1,
    stderr: `litfeed: The certificate of PostgreSQL at 127.0.0.1:${port} (DATABASE_URL) was rejected. If its authority is your own, add ` +
      '?sslmode=verify-full&sslrootcert=/path/to/ca.pem. ('
  })
})
