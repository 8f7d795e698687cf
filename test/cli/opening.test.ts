import t, { type Test } from 'tap'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Kysely, Migrator, sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { connect } from '../../db/connection.js'
import { CertificateRejected, toDatabaseError } from '../../db/errors.js'
import { readSettings } from '../../src/composition/settings.js'
import { toStartupError } from '../../src/composition/startup-error.js'
import { openService } from '../../src/service.js'
import { migrations } from '../../db/migrations/index.js'
import type { Database } from '../../db/tables.js'
import { commandLine } from '../support/command-line.js'
import { temporaryDirectory } from '../support/database.js'
import { offline } from '../support/offline.js'

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

t.test('a certificate that is rejected is named, and what to do', async t => {
  const server = new SMTPServer({ secure: true })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>(resolve => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  const address = `postgres://litfeed@127.0.0.1:${port}/litfeed?sslmode=verify-full&sslnegotiation=direct`
  t.match(await commandLine(temporaryDirectory(t), address).run(['migrate']), {
    code: 1,
    stderr: `litfeed: The certificate of PostgreSQL at 127.0.0.1:${port} (DATABASE_URL) was rejected. Renew it on the server. (`
  })
  for (const [code, advice] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /add the parameters sslmode=verify-full and sslrootcert=\S+\.pem\.$/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /was rejected\. Use a host name that it states\.$/]
  ] as const) {
    const rejected = new CertificateRejected({ cause: Object.assign(new Error('rejected'), { code }) })
    t.match((toStartupError(rejected, address) as Error).message, advice)
  }
  const withoutTls = toDatabaseError(new Error('The server does not support SSL connections'))
  t.match((toStartupError(withoutTls, address) as Error).message, /does not support TLS\. Enable it on the server, or remove sslmode/)
})

t.test('a command that needs data creates no database', async t => {
  const dataDir = temporaryDirectory(t)
  const { run } = commandLine(dataDir)
  const file = join(dataDir, 'a.backup')
  for (const args of [['backup', file], ['user', 'list'], ['key', 'rotate', '--email', 'you@example.org']]) {
    t.match(await run(args), { code: 1, stdout: '', stderr: `litfeed: There is no database in ${dataDir}. Run this command where ` }, args.join(' '))
  }
  t.match(await run(['doctor']), { code: 1, stdout: `FAIL  database: There is no database in ${dataDir}.` })
  t.notOk(existsSync(join(dataDir, 'postgres')) || existsSync(file))

  t.match(await run(['user', 'create', '--email', 'you@example.org']), { code: 0, stderr: `Created a new database in ${dataDir}.\n` })
  t.match(await run(['user', 'list']), { code: 0, stdout: 'you@example.org', stderr: /^$/ })
})

t.test('a command that needs data does not take an empty database for its own', async t => {
  const { db, dataDir, url } = await emptyDatabase(t)
  t.match(await commandLine(dataDir, url).run(['user', 'list']), { code: 1, stderr: /has no tables of Litfeed\. Check DATABASE_URL/ })
  t.strictSame((await sql`select from pg_tables where schemaname = 'public'`.execute(db)).rows, [])
})

/** Migrates an empty database to the version before this one. */
async function migrateToFormer (db: Kysely<Database>): Promise<void> {
  const former = Object.fromEntries(Object.entries(migrations).slice(0, -1))
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => former } }).migrateToLatest()
  if (error !== undefined) throw error
}

t.test('only serve, migrate and restore migrate a database that a service may be using', async t => {
  const { db, dataDir, url } = await emptyDatabase(t)
  await migrateToFormer(db)
  for (const { run } of [commandLine(dataDir), commandLine(dataDir, url)]) {
    for (const args of [['user', 'list'], ['user', 'create', '--email', 'you@example.org'], ['backup', join(dataDir, 'a.backup')]]) {
      t.match(await run(args), {
        code: 1,
        stderr: /The database is at version \S+, which is older than this litfeed.*Restart the service with this version\. If no service uses the database, run: litfeed migrate/
      }, args.join(' '))
    }
  }
  const { run } = commandLine(dataDir, url)
  t.match(await run(['migrate']), { code: 0, stderr: /^Migrating the database/ })
  t.match(await run(['user', 'list']), { code: 0, stderr: /^$/ })
})

t.test('a server answers before all papers are indexed again; a command that has the database alone migrates it, and waits', async t => {
  const { db, close, dataDir } = await emptyDatabase(t)
  await migrateToFormer(db)
  await sql`
    with owner as (insert into account (email, password_hash) values ('you@example.org', '') returning id),
      made as (insert into project (account_id, name) select id, 'Sleep' from owner returning id),
      stored as (insert into paper (slug, title, authors, source_name, metadata, title_key)
        values ('s', 'Sleep spindles', '[]', 'x', '{}', 'k') returning id)
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
      select made.id, stored.id, 0.5, 'relevant', now() from made, stored`.execute(db)
  await close()
  const copy = temporaryDirectory(t)
  cpSync(dataDir, copy, { recursive: true })
  const hasPending = async (db: Kysely<Database>) => (await sql`select from search_pending`.execute(db)).rows.length > 0

  const log = { info () {}, warn () {}, error () {} }
  const service = await openService({ settings: readSettings({ DATA_DIR: dataDir, ...offline }), log, name: 'a test', share: false })
  t.ok(await hasPending(service.context.db))
  await service.close()

  t.match(await commandLine(copy).run(['user', 'list']), { code: 0, stdout: 'you@example.org', stderr: /^Migrating the database/ })
  const after = await connect({ dataDir: copy, name: 'a test', share: false })
  t.notOk(await hasPending(after.db))
  await after.close()
})
