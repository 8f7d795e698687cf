import { statfsSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'

/**
 * Bytes that stay free. PostgreSQL refuses a write for which a table has no room, and all is well; where it cannot make the next segment of its
 * write-ahead log, 16 MB, it gives up altogether.
 */
const reserve = 64 * 1024 * 1024
/** Free again above this, so that writing does not go on and off at the edge. */
const enough = 96 * 1024 * 1024
/** Milliseconds between two looks: less than it takes to write the reserve full. */
const interval = 250
/** A turn above this is looked at by itself; it takes its bytes in the table, in the log, and some more. */
const large = 1024 * 1024
const takenByByte = 3

/** What starting and recovering after a crash take at most. */
const neededToOpen = 48 * 1024 * 1024
const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)

export class NoRoom extends Error {
  constructor (directory: string, free: number) {
    super(`The disk of ${directory} has ${megabytes(free)} MB left, and the database needs ${megabytes(neededToOpen)} MB to start. Make room, or set DATA_DIR to a directory on another disk.`)
  }
}

/** @throws NoRoom where the database could not even start */
export function checkRoom (directory: string, free = freeBytes(directory)): void {
  if (free < neededToOpen) throw new NoRoom(directory, free)
}

export function freeBytes (directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/**
 * Makes the database read-only while its disk is nearly full, and writable when there is room: writes get SQLSTATE 25006, reads go on.
 * @returns to be called before each turn outside a transaction, and before those inside one that may change its settings
 */
export function keepRoom (database: Pick<PGlite, 'exec'>, free: () => number): (turn: { bytes: number, inTransaction: boolean }) => Promise<void> {
  let writable = true
  let needed = reserve
  let looked = -Infinity
  return async ({ bytes, inTransaction }) => {
    const now = performance.now()
    const isLarge = bytes > large
    if (!isLarge && (inTransaction || now - looked < interval)) return
    const wanted = free() - (isLarge ? bytes * takenByByte : 0) >= needed
    if (inTransaction) {
      if (!wanted) await database.exec('set transaction_read_only = on')
      return
    }
    // What a large turn turned off is looked at again by the next one.
    looked = isLarge ? -Infinity : now
    if (!isLarge) needed = wanted ? reserve : enough
    if (wanted === writable) return
    await database.exec(`set default_transaction_read_only = ${wanted ? 'off' : 'on'}`)
    writable = wanted
  }
}
