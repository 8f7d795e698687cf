import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { GuardedRequest } from './disk-guard.js'

const bytesPerSegment = 16 * 1024 * 1024
/** A checkpoint follows when the log is larger. It writes what the log protects, and deletes the log. */
const maxLogBytes = 64 * 1024 * 1024
const checkIntervalMs = 250
/** Large requests follow each other faster than the interval. */
const checkAfterBytes = 8 * 1024 * 1024
const segmentName = /^[0-9A-F]{24}$/

/** Names of the segments of the write-ahead log on disk. */
export const listSegments = (databaseDirectory: string): string[] =>
  readdirSync(join(databaseDirectory, 'pg_wal')).filter(name => segmentName.test(name))

/** Bytes of the write-ahead log on disk. */
export const getLogBytes = (databaseDirectory: string): number => listSegments(databaseDirectory).length * bytesPerSegment

/**
 * Bounds the write-ahead log. PostgreSQL's checkpointer would, but the embedded database has no background processes: without checkpoints,
 * the log grows until the service stops.
 * @returns a check to run before each request
 */
export function limitLog (database: Pick<PGlite, 'exec'>, getBytes: () => number): (request: GuardedRequest) => Promise<void> {
  let checkedAt = -Infinity
  let receivedBytes = 0
  return async ({ bytes }) => {
    receivedBytes += bytes
    const now = performance.now()
    if (receivedBytes < checkAfterBytes && now - checkedAt < checkIntervalMs) return
    checkedAt = now
    receivedBytes = 0
    // On a full disk it fails, and a later one succeeds.
    if (getBytes() > maxLogBytes) await database.exec('checkpoint').catch(() => {})
  }
}
