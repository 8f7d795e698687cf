import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minuteMs } from '../schemas/durations.js'
import { connect, type Db } from './connection.js'
import { removeAbandoned } from './embedded/abandoned.js'
import { acquireLock } from './embedded/lock.js'

/** An unlocked directory that is older is abandoned: a database locks its directory as soon as it starts. */
const minAbandonedMs = minuteMs

/** Attempts to remove a directory as the process exits, a tenth of a second apart. */
const maxRemovals = 20

/** An embedded database for one piece of work. `close` deletes it. */
export interface TemporaryDatabase { db: Db, close: () => Promise<void> }

/** Where a temporary database is, if not in the directory for temporary files, and what it has at first, if it is not empty. */
interface TemporaryOptions {
  parent?: string
  /** Writes the files of the database into its data directory. */
  fill?: (directory: string) => Promise<void>
}

/**
 * Creates an embedded database, and removes those that killed processes left. It is deleted when it is closed, and when the process exits
 * before.
 * @param prefix of its directory's name @param name of the process, such as "litfeed backup --verify"
 */
export async function openTemporaryDatabase (
  prefix: string,
  name: string,
  { parent = tmpdir(), fill }: TemporaryOptions = {}
): Promise<TemporaryDatabase> {
  await removeAbandoned(parent, prefix, name, minAbandonedMs)
  const directory = mkdtempSync(join(parent, `${prefix}-${process.pid}-`))
  const removeNow = () => removeAtExit(directory)
  process.once('exit', removeNow)
  const remove = async () => {
    await rm(directory, { recursive: true, force: true })
    process.off('exit', removeNow)
  }
  try {
    if (fill !== undefined) await whileLocked(directory, name, fill)
    const { db, close } = await connect({ dataDir: directory, name, share: false })
    return {
      db,
      async close () {
        try {
          await close()
        } finally {
          await remove()
        }
      }
    }
  } catch (cause) {
    await remove()
    throw cause
  }
}

/**
 * Removes a directory in which the process that creates the database can still write, since it ends shortly after this one. The retries of
 * Node.js 20 do not look for new files, so they only serve as a pause.
 */
function removeAtExit (directory: string): void {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(directory, { recursive: true, force: true, maxRetries: 1 })
      return
    } catch (cause) {
      if (tries === maxRemovals) throw cause
    }
  }
}

/** Keeps other processes from removing a directory that has no database yet, which would lock it. */
async function whileLocked (directory: string, name: string, fill: (directory: string) => Promise<void>): Promise<void> {
  const lock = acquireLock(directory, { pid: process.pid, name, socketDirectory: directory, started_at: new Date().toISOString() })
  try {
    await fill(directory)
  } finally {
    lock?.release()
  }
}
