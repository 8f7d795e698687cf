import { statfsSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'

/**
 * Bytes that stay free. PostgreSQL survives a write for which a table has no space, but it aborts when it cannot create the next segment (16 MB)
 * of its write-ahead log.
 */
const reserve = 64 * 1024 * 1024
/** Writes resume above this, so that they do not switch on and off around the reserve. */
const enough = 96 * 1024 * 1024
/** Milliseconds between two checks: less than it takes to fill the reserve. */
const interval = 250
/** A request of more bytes is checked by itself; it takes its size in the table, in the log, and some more. */
const large = 1024 * 1024
const takenByByte = 3

/** Bytes that a start with crash recovery needs at most. */
const neededToOpen = 48 * 1024 * 1024
const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)

/** The embedded database cannot start: its disk is too full. */
export class NotEnoughDiskSpace extends Error {
  constructor (directory: string, free: number) {
    super(`The disk of ${directory} has ${megabytes(free)} MB left, and the database needs ${megabytes(neededToOpen)} MB to start. Make room, or set DATA_DIR to a directory on another disk.`)
  }
}

/** @throws NotEnoughDiskSpace if the database could not start */
export function checkDiskSpace (directory: string, free = freeBytes(directory)): void {
  if (free < neededToOpen) throw new NotEnoughDiskSpace(directory, free)
}

/** Bytes that an unprivileged process can still write to the disk of a directory. */
export function freeBytes (directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/**
 * Makes the database read-only while its disk is nearly full, and writable again when there is space. Writes then fail with DatabaseNotWritable;
 * reads continue.
 * @param free returns the free bytes of the disk
 * @returns a check to run before each request outside a transaction, and before requests inside one that can still be made read-only
 */
export function guardDiskSpace (database: Pick<PGlite, 'exec'>, free: () => number): (turn: { bytes: number, inTransaction: boolean }) => Promise<void> {
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
    // After a large request switched writes off, the next request checks again.
    looked = isLarge ? -Infinity : now
    if (!isLarge) needed = wanted ? reserve : enough
    if (wanted === writable) return
    await database.exec(`set default_transaction_read_only = ${wanted ? 'off' : 'on'}`)
    writable = wanted
  }
}
