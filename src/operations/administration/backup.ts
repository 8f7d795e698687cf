import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { backupTables, readTableForBackup } from '../../../db/queries/backup.js'
import type { Db } from '../../../db/connection.js'
import { databaseVersion } from '../../../db/migrate.js'
import { BackupInput, BackupResult } from '../../../schemas/backup.js'
import { version as program } from '../../settings/version.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * Writes a consistent snapshot of every row to a gzipped file with a JSON line per row. It restores into the embedded database and into
 * PostgreSQL. It contains private data, so only the file's owner can read it.
 */
export const backup = operation({
  name: 'backup',
  title: 'Back up',
  description: 'Writes the whole database to a file for restore.',
  input: BackupInput,
  output: BackupResult,
  async handler ({ readConsistently, now, signal }: ServiceContext, { file }) {
    // A truncated backup never has the final name, and concurrent backups write to different files.
    const temporaryFile = `${file}.${randomUUID().slice(0, 8)}.unfinished`
    try {
      const result = await readConsistently(async transaction => {
        signal?.throwIfAborted()
        const version = (await databaseVersion(transaction))!
        const count = { rows: 0 }
        await pipeline(
          Readable.from(lines(transaction, version, now(), count)),
          createGzip(),
          createWriteStream(temporaryFile, { flags: 'wx', mode: 0o600, flush: true }),
          signal === undefined ? {} : { signal }
        )
        return { file, version, rows: count.rows }
      })
      await rename(temporaryFile, file)
      return result
    } catch (cause) {
      await rm(temporaryFile, { force: true })
      throw cause
    }
  }
})

async function * lines (db: Db, version: string, time: Date, count: { rows: number }): AsyncIterable<string> {
  yield `${JSON.stringify({ litfeed_backup: 1, version, program, created_at: time.toISOString() })}\n`
  for (const table of backupTables) {
    for await (const row of readTableForBackup(db, table)) {
      count.rows++
      yield `{"table":"${table}","row":${row}}\n`
    }
  }
  yield `${JSON.stringify({ end: true, rows: count.rows })}\n`
}
