import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tryLock, unlock } from 'fs-native-extensions'

/** The process that has the directory open, as the lock file names it. */
export interface Owner {
  pid: number
  /** Such as "litfeed serve". */
  name: string
  /** Directory of the Unix socket on which the owner serves the database. */
  socketDirectory: string
  started_at: string
}

/** Another process has the directory open, and this one may not share it. */
export class DirectoryInUse extends Error {
  constructor (dataDir: string, owner: Owner | undefined) {
    const user = owner === undefined ? 'another process' : `${owner.name} (process ${owner.pid}, since ${owner.started_at})`
    super(`The database in ${dataDir} is in use by ${user}. Stop that process first, or set DATA_DIR to another directory.`)
  }
}

/** A lock that this process holds. `release` also empties the lock file. */
export interface DirectoryLock { release: () => void }

const lockFile = (dataDir: string) => join(dataDir, 'lock')

/**
 * Locks the directory for this process. The kernel releases the lock when the process ends, however it ends, so a lock is never stale.
 * @returns undefined while another process holds the lock
 */
export function acquireLock (dataDir: string, owner: Owner): DirectoryLock | undefined {
  const file = openSync(lockFile(dataDir), 'a+', 0o600)
  if (!tryLock(file)) {
    closeSync(file)
    return undefined
  }
  ftruncateSync(file)
  writeSync(file, JSON.stringify(owner))
  return {
    release () {
      ftruncateSync(file)
      unlock(file)
      closeSync(file)
    }
  }
}

/** The owner in the lock file; undefined if there is none, or while the file is being written. */
export function readOwner (dataDir: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(lockFile(dataDir), 'utf8')) as Owner
  } catch {
    return undefined
  }
}
