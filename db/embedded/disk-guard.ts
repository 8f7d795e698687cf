import { statfsSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { bytesPerMebibyte, mebibytes } from '../../schemas/mebibytes.js'

/**
 * Writes stop below this. PostgreSQL survives a write for which a table has no space, but it aborts when it cannot create the next segment
 * (16 MiB) of its write-ahead log.
 */
const stopBelowBytes = 64 * bytesPerMebibyte
/** Writes resume above this. The distance to `stopBelowBytes` keeps them from switching on and off. */
const resumeAboveBytes = 96 * bytesPerMebibyte
/** Shorter than it takes to fill the last `stopBelowBytes`. */
const checkIntervalMs = 250
/** Larger requests are checked individually. */
const largeRequestBytes = bytesPerMebibyte
/** Disk bytes that a byte of a large request can take: in the table, in the log, and a margin. */
const diskBytesPerRequestByte = 3

/** Enough for a start with crash recovery. */
const minStartBytes = 48 * bytesPerMebibyte

/** The embedded database cannot start: its disk is too full. */
export class NotEnoughDiskSpace extends Error {
  constructor (directory: string, freeBytes: number) {
    super(
      `The disk of ${directory} has ${mebibytes(freeBytes)} left, and the database needs ${mebibytes(minStartBytes)} to start. ` +
        'Free disk space, or set DATA_DIR to a directory on another disk.'
    )
  }
}

/** @throws NotEnoughDiskSpace if the database could not start */
export function checkDiskSpace (directory: string, freeBytes = getFreeBytes(directory)): void {
  if (freeBytes < minStartBytes) throw new NotEnoughDiskSpace(directory, freeBytes)
}

/** Bytes that an unprivileged process can still write to the disk of a directory. */
export function getFreeBytes (directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** A request as the disk guard sees it. */
export interface GuardedRequest { bytes: number, inTransaction: boolean }

/**
 * Makes the database read-only while its disk is nearly full, and writable again when there is space. Writes then fail with
 * DatabaseNotWritable; reads continue.
 * @param getFree returns the free bytes of the disk
 * @returns a check to run before each request outside a transaction, and before requests inside one that can still be made read-only
 */
export function guardDiskSpace (database: Pick<PGlite, 'exec'>, getFree: () => number): (request: GuardedRequest) => Promise<void> {
  let isWritable = true
  let requiredBytes = stopBelowBytes
  let checkedAt = -Infinity
  return async ({ bytes, inTransaction }) => {
    const now = performance.now()
    const isLarge = bytes > largeRequestBytes
    if (!isLarge && (inTransaction || now - checkedAt < checkIntervalMs)) return
    const hasSpace = getFree() - (isLarge ? bytes * diskBytesPerRequestByte : 0) >= requiredBytes
    if (inTransaction) {
      if (!hasSpace) await database.exec('set transaction_read_only = on')
      return
    }
    // After a large request stopped writes, the next request checks again.
    checkedAt = isLarge ? -Infinity : now
    if (!isLarge) requiredBytes = hasSpace ? stopBelowBytes : resumeAboveBytes
    if (hasSpace === isWritable) return
    await database.exec(`set default_transaction_read_only = ${hasSpace ? 'off' : 'on'}`)
    isWritable = hasSpace
  }
}
