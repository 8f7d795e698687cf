import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tryLock, unlock } from 'fs-native-extensions'

/** Who has the directory open; written into the lock file for others to read. */
export interface Owner {
  pid: number
  /** What the process is, in words: "litfeed serve". */
  name: string
  /** Directory of the Unix socket on which the owner serves the database. */
  socketDirectory: string
  started_at: string
}

/** Another process has the directory, and this one cannot share it. */
export class DirectoryInUse extends Error {
  constructor (dataDir: string, owner: Owner | undefined) {
    const who = owner === undefined ? 'another process' : `${owner.name} (process ${owner.pid}, since ${owner.started_at})`
    super(`The database in ${dataDir} is in use by ${who}. Stop that process first, or set DATA_DIR to another directory.`)
  }
}

export interface DirectoryLock { release: () => void }

const lockFile = (dataDir: string) => join(dataDir, 'lock')

/**
 * Takes the directory for this process, or returns undefined when a living process has it.
 * The kernel holds the lock and drops it with the process, however that ends, so that a dead owner never stands in the way.
 */
export function takeLock (dataDir: string, owner: Owner): DirectoryLock | undefined {
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

/** The owner that the lock file names; undefined while there is none, or while it is being written. */
export function readOwner (dataDir: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(lockFile(dataDir), 'utf8')) as Owner
  } catch {
    return undefined
  }
}
