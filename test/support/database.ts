import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { Test } from 'tap'
import { type Connection, connect } from '../../db/connection.js'
import { migrate } from '../../db/migrate.js'
import { atEnd } from './end-of-file.js'

/** The PostgreSQL server for tests; undefined selects the embedded database. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL

/** A process that stalls must not take the database for unreachable. Tests of the limit keep the service's. */
export const connectionTimeoutMs = 60_000

/** Names the schema by the code of its migrations, so that a changed one is not hidden by an old template. */
const schemaVersion = hashMigrations()

function hashMigrations (): string {
  const folder = new URL('../../db/migrations/', import.meta.url)
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).sort()) if (file.endsWith('.js')) hash.update(file).update(readFileSync(new URL(file, folder)))
  return hash.digest('hex').slice(0, 12)
}

/**
 * A migrated embedded database, created once per schema version and copied for each test file: initdb takes seconds, a copy a fraction of
 * one.
 */
export const template = fileURLToPath(new URL(`../../embedded-template-${schemaVersion}`, import.meta.url))

/** The same on the PostgreSQL server for tests. It stays there for the next run. */
const serverTemplate = `litfeed_template_${schemaVersion}`

/** How to open a test database. */
export interface TestDatabase { databaseUrl: string | undefined, dataDir: string }

/** Creates an empty, migrated database; removes it when the test ends. */
export async function testDatabase (t: Test): Promise<TestDatabase> {
  if (testDatabaseUrl !== undefined) return { databaseUrl: await cloneDatabase(t, testDatabaseUrl), dataDir: temporaryDirectory(t) }
  await makeTemplate()
  return { databaseUrl: undefined, dataDir: copyTemplate(t) }
}

/** An embedded database of this process, which stays open between its tests. */
interface RunningDatabase { dataDir: string, connection: Connection }

/** Running databases that no test uses. */
const idle: RunningDatabase[] = []

/**
 * Lends an empty, migrated database to a test. An embedded one is open, to be shared, and may have served earlier tests of this process: to
 * empty it takes a hundredth of the time of opening another. Only rows are deleted; a test that changes the schema needs `testDatabase`.
 */
export async function lendDatabase (t: Test): Promise<TestDatabase> {
  if (testDatabaseUrl !== undefined) return await testDatabase(t)
  const reused = idle.pop()
  if (reused !== undefined) await empty(reused)
  const lent = reused ?? await startDatabase(rootOf(t))
  atEnd(t, () => { idle.push(lent) })
  return { databaseUrl: undefined, dataDir: lent.dataDir }
}

/** The test that stands for the whole process. */
const rootOf = (t: Test): Test => t.parent === undefined ? t : rootOf(t.parent as Test)

async function startDatabase (root: Test): Promise<RunningDatabase> {
  const { dataDir } = await testDatabase(root)
  const connection = await connect({ dataDir, name: 'tests', share: false, connectionTimeoutMs })
  root.teardown(connection.close)
  return { dataDir, connection }
}

/** Size of a table, with its long values, from which on deleted rows are removed. */
const maxDeletedBytes = 2 ** 20

/** Deletes every row and file. Ids are not given again, so nothing in memory belongs to another row by accident. */
async function empty ({ dataDir, connection: { db } }: RunningDatabase): Promise<void> {
  // With triggers and references between tables, the order would matter.
  await sql`
    do $$
    declare name text;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
        execute format('delete from %I', name);
      end loop;
    end $$`.execute(db)
  // Every scan would go through the deleted rows.
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%' and pg_table_size(oid) > ${maxDeletedBytes}
    `.execute(db)
  for (const { name } of rows) await sql`vacuum ${sql.table(name)}`.execute(db)
  for (const name of readdirSync(dataDir)) {
    if (!['postgres', 'lock', 'socket'].includes(name)) rmSync(join(dataDir, name), { recursive: true })
  }
}

/** Far more than the tests that run at the same time need. */
const minMemoryDiskBytes = 4e9

/** A disk in memory where there is one: on others, copying and deleting databases takes more time than many tests. */
const temporaryRoot = hasMemoryDisk('/dev/shm') ? '/dev/shm' : tmpdir()

function hasMemoryDisk (path: string): boolean {
  if (!existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= minMemoryDiskBytes
}

/** Creates a directory; removes it when the test ends. */
export function temporaryDirectory (t: Test): string {
  const directory = mkdtempSync(join(temporaryRoot, 'litfeed-test-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Copies the migrated data directory; removes the copy when the test ends. */
export function copyTemplate (t: Test): string {
  const dataDir = temporaryDirectory(t)
  cpSync(template, dataDir, { recursive: true })
  return dataDir
}

/** Creates the template unless it exists. If several processes create it at the same time, the rename keeps one. */
export async function makeTemplate (): Promise<void> {
  if (existsSync(template)) return
  const unfinished = `${template}-${process.pid}`
  mkdirSync(unfinished)
  const { db, close } = await connect({ dataDir: unfinished, name: 'test template', share: false, connectionTimeoutMs })
  await migrate(db)
  await close()
  for (const leftover of ['lock', 'socket']) rmSync(join(unfinished, leftover), { recursive: true, force: true })
  try {
    renameSync(unfinished, template)
  } catch {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Creates a database from the migrated template. */
async function cloneDatabase (t: Test, url: string): Promise<string> {
  await makeServerTemplate(url)
  const name = `litfeed_test_${randomBytes(6).toString('hex')}`
  await administer(url, `create database ${name} template ${serverTemplate}`)
  t.teardown(async () => await administer(url, `drop database if exists ${name} with (force)`))
  return inDatabase(url, name)
}

/** Creates the server's template unless it exists. If several processes create it at the same time, the rename keeps one. */
export async function makeServerTemplate (url: string): Promise<void> {
  const found = await administer(url, `select from pg_database where datname = '${serverTemplate}'`)
  if (found.rowCount === 1) return
  const unfinished = `${serverTemplate}_${randomBytes(6).toString('hex')}`
  await administer(url, `create database ${unfinished}`)
  const { db, close } = await connect({
    databaseUrl: inDatabase(url, unfinished),
    dataDir: '',
    name: 'test template',
    share: false,
    connectionTimeoutMs
  })
  await migrate(db)
  await keepStatistics(db)
  await close()
  try {
    await administer(url, `alter database ${unfinished} rename to ${serverTemplate}`)
  } catch {
    await administer(url, `drop database ${unfinished} with (force)`)
  }
}

/** Statistics are those that a test makes: plans that it reads must not depend on when the server analyzes a table. */
async function keepStatistics (db: Connection['db']): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db)
  for (const { name } of rows) await sql`alter table ${sql.table(name)} set (autovacuum_enabled = off)`.execute(db)
}

function inDatabase (url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

async function administer (url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
