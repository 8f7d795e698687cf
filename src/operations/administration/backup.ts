import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { readSnapshot, readTable, backupTables } from '../../../db/queries/backup.js'
import type { Db } from '../../../db/connection.js'
import { databaseVersion } from '../../../db/migrate.js'
import { BackupInput, BackupResult } from '../../../schemas/backup.js'
import { version as program } from '../../settings/version.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * Writes every row, as of one moment, to a file: gzip, a line of JSON a row. It restores into the embedded database and into
 * PostgreSQL alike. It holds what the accounts hold, so that it is readable by its owner alone.
 */
export const backup = operation({
  name: 'backup',
  title: 'Back up',
  description: 'Writes the whole database to a file, from which restore makes it again.',
  input: BackupInput,
  output: BackupResult,
  async handler ({ db, now }: ServiceContext, { file }) {
    // A backup that was cut short never stands under the name of a whole one, and two at once do not write to one file.
    const unfinished = `${file}.${randomUUID().slice(0, 8)}.unfinished`
    try {
      const result = await readSnapshot(db, async transaction => {
        const version = (await databaseVersion(transaction))!
        const count = { rows: 0 }
        await pipeline(Readable.from(lines(transaction, version, now(), count)), createGzip(), createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }))
        return { file, version, rows: count.rows }
      })
      await rename(unfinished, file)
      return result
    } catch (cause) {
      await rm(unfinished, { force: true })
      throw cause
    }
  }
})

async function * lines (db: Db, version: string, time: Date, count: { rows: number }): AsyncIterable<string> {
  yield `${JSON.stringify({ litfeed_backup: 1, version, program, created_at: time.toISOString() })}\n`
  for (const table of backupTables) {
    for await (const row of readTable(db, table)) {
      count.rows++
      yield `{"table":"${table}","row":${row}}\n`
    }
  }
  yield `${JSON.stringify({ end: true, rows: count.rows })}\n`
}
