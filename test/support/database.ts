import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Test } from 'tap'
import { connect } from '../../db/connection.js'
import { migrate } from '../../db/migrate.js'
import { migrations } from '../../db/migrations/index.js'

/** The PostgreSQL server for tests; undefined selects the embedded database. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL

/**
 * A migrated embedded database, created once per schema version and copied for each test file: initdb takes seconds, a copy a fraction of
 * one.
 */
export const template = fileURLToPath(
  new URL(`../../embedded-template-${Object.keys(migrations).length}-${Object.keys(migrations).at(-1)}`, import.meta.url)
)

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

async function cloneDatabase (t: Test, url: string): Promise<string> {
  const name = `litfeed_test_${randomBytes(6).toString('hex')}`
  await administer(url, `create database ${name}`)
  t.teardown(async () => await administer(url, `drop database if exists ${name} with (force)`))
  const address = new URL(url)
  address.pathname = `/${name}`
  const { db, close } = await connect({ databaseUrl: address.href, dataDir: '', name: 'test', share: false })
  await migrate(db)
  await close()
  return address.href
}

async function administer (url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
