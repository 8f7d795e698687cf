import { join } from 'node:path'
import type { Connection, Db } from './connection.js'
import { copyDatabase } from './embedded/copy.js'
import { copyPrefix } from './embedded/abandoned.js'
import { giveDirectoryToOwner } from './embedded/data-directory.js'
import { readConsistently } from './queries/backup.js'
import { hasRecovered } from './queries/database-log.js'
import { type TemporaryDatabase, openTemporaryDatabase } from './temporary-database.js'

/** Runs a read-only transaction that sees the database as of its start. */
export type ReadConsistently = <T>(run: (transaction: Db) => Promise<T>) => Promise<T>

/**
 * Consistent reads of a database. The embedded database runs one transaction at a time, for which all others wait: where a service runs
 * it, the transaction reads a copy of its files.
 * @param onNoCopy called if a copy cannot be made, as for lack of disk space; others then wait
 */
export const consistentReadsOf = (
  { db, servedDirectory }: Connection, onNoCopy: (cause: unknown) => void
): ReadConsistently => async run => {
  const copy = servedDirectory === undefined ? undefined : await openCopy(db, servedDirectory).catch(cause => { onNoCopy(cause) })
  if (copy === undefined) return await readConsistently(db, run)
  try {
    return await readConsistently(copy.db, run)
  } finally {
    await copy.close()
  }
}

async function openCopy (db: Db, dataDir: string): Promise<TemporaryDatabase> {
  let position: string
  const copy = await openTemporaryDatabase(copyPrefix, 'a backup', {
    parent: dataDir,
    async fill (directory) {
      giveDirectoryToOwner(dataDir, directory)
      position = await copyDatabase(db, join(dataDir, 'postgres'), join(directory, 'postgres'))
    }
  })
  if (await hasRecovered(copy.db, position!)) return copy
  await copy.close()
  throw new Error('The copy of the database lacks a part of its log.')
}
