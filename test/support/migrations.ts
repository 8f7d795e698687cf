import type { Test } from 'tap'
import { sql } from 'kysely'
import { connect } from '../../db/connection.js'
import { connectionTimeoutMs, testDatabase } from './database.js'

/** A database for tests of migrations. `empty` removes everything in it, and `open` connects once more. */
export async function migrationDatabase (t: Test) {
  const { databaseUrl, dataDir } = await testDatabase(t)
  const open = async () => await connect({ databaseUrl, dataDir, name: 'test', share: true, connectionTimeoutMs })
  const { db, close } = await open()
  t.teardown(close)
  const empty = async () => {
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
  }
  return { db, open, empty }
}
