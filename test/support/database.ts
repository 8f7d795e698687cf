import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Test } from 'tap'
import { connect } from '../../db/connection.js'
import { migrate } from '../../db/migrate.js'

/** The PostgreSQL server for tests; undefined selects the embedded database. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL

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
  const { db, close } = await connect({ dataDir: unfinished, name: 'test template', share: false })
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
  const { db, close } = await connect({ databaseUrl: inDatabase(url, unfinished), dataDir: '', name: 'test template', share: false })
  await migrate(db)
  await close()
  try {
    await administer(url, `alter database ${unfinished} rename to ${serverTemplate}`)
  } catch {
    await administer(url, `drop database ${unfinished} with (force)`)
  }
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
