import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Test } from 'tap'
import { connect } from '../../db/connection.js'
import { migrate } from '../../db/migrate.js'
import { migrations } from '../../db/migrations/index.js'

/** PostgreSQL to test on; the embedded database where it is not set. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL

/** A migrated embedded database, made once a version and copied for each test file: initdb takes seconds, a copy a fraction of one. */
export const template = fileURLToPath(new URL(`../../embedded-template-${Object.keys(migrations).at(-1)}`, import.meta.url))

export interface TestDatabase { databaseUrl: string | undefined, dataDir: string }

/** An empty, migrated database of the test file's own. It is gone when the test ends. */
export async function testDatabase (t: Test): Promise<TestDatabase> {
  if (testDatabaseUrl !== undefined) return { databaseUrl: await cloneDatabase(t, testDatabaseUrl), dataDir: temporaryDirectory(t) }
  await makeTemplate()
  return { databaseUrl: undefined, dataDir: copyTemplate(t) }
}

export function temporaryDirectory (t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'litfeed-test-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A migrated embedded data directory. */
export function copyTemplate (t: Test): string {
  const dataDir = temporaryDirectory(t)
  cpSync(template, dataDir, { recursive: true })
  return dataDir
}

/** Made by whichever test file comes first; the rename lets one of several stand. */
export async function makeTemplate (): Promise<void> {
  if (existsSync(template)) return
  const making = `${template}-${process.pid}`
  mkdirSync(making)
  const { db, close } = await connect({ dataDir: making, name: 'test template', share: false })
  await migrate(db)
  await close()
  for (const left of ['lock', 'socket']) rmSync(join(making, left), { recursive: true, force: true })
  try {
    renameSync(making, template)
  } catch {
    rmSync(making, { recursive: true, force: true })
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
