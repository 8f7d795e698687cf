import { rmSync } from 'node:fs'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minuteMs } from '../schemas/durations.js'
import { connect, type Db } from './connection.js'
import { acquireLock } from './embedded/lock.js'

/** Nobody uses an unlocked directory that is older: a database locks its directory as soon as it starts. */
const minAbandonedMs = minuteMs

/** Attempts to remove a directory as the process exits, a tenth of a second apart. */
const maxRemovals = 20

/** An embedded database for one piece of work. `close` deletes it. */
export interface TemporaryDatabase { db: Db, close: () => Promise<void> }

/**
 * Creates an empty embedded database in the directory for temporary files, and removes those that killed processes left there. It is
 * deleted when it is closed, and when the process exits before.
 * @param prefix of its directory's name @param name of the process, such as "litfeed backup --verify"
 */
export async function openTemporaryDatabase (prefix: string, name: string): Promise<TemporaryDatabase> {
  await removeAbandoned(prefix, name)
  const directory = await mkdtemp(join(tmpdir(), `${prefix}-${process.pid}-`))
  const removeNow = () => removeAtExit(directory)
  process.once('exit', removeNow)
  const remove = async () => {
    await rm(directory, { recursive: true, force: true })
    process.off('exit', removeNow)
  }
  try {
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

/** Removes the databases of processes that were killed: the kernel has released their locks. */
async function removeAbandoned (prefix: string, name: string): Promise<void> {
  const names = (await readdir(tmpdir())).filter(each => each.startsWith(`${prefix}-`) && /^\d+-\w+$/.test(each.slice(prefix.length + 1)))
  for (const each of names) {
    const directory = join(tmpdir(), each)
    try {
      const found = await lstat(directory)
      const isOwn = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
      if (!isOwn || Date.now() - found.mtimeMs < minAbandonedMs) continue
      const lock = acquireLock(directory, { pid: process.pid, name, socketDirectory: directory, started_at: new Date().toISOString() })
      if (lock === undefined) continue
      lock.release()
      await rm(directory, { recursive: true, force: true })
    } catch {
      // Another process removes it, too; what cannot be removed does not matter to this one.
    }
  }
}
