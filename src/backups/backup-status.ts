import { hourMs } from '../../schemas/durations.js'
import { findLastJobs } from '../../db/queries/state.js'
import type { Db } from '../../db/connection.js'

const failureDelayMs = hourMs

/** The last scheduled backups. */
export interface BackupStatus {
  last_success: { at: Date, file: string, rows: number, bytes: number } | null
  last_failure: { at: Date, error: string } | null
}

/** Reads the outcomes of scheduled backups from their jobs, which are kept for longer than the time between two backups. */
export async function findBackupStatus (db: Db): Promise<BackupStatus> {
  const jobs = await findLastJobs(db, 'back-up')
  const done = jobs.find(({ state }) => state === 'done')
  const failed = jobs.find(({ state }) => state === 'failed')
  const { file, rows, bytes } = (done?.result ?? {}) as { file?: string, rows?: number, bytes?: number }
  return {
    last_success: done === undefined ? null : { at: done.updated_at, file: file ?? '', rows: rows ?? 0, bytes: bytes ?? 0 },
    last_failure: failed === undefined ? null : { at: failed.updated_at, error: failed.error ?? '' }
  }
}

/** Whether the last scheduled backup failed. */
export const isBackupFailing = ({ last_success, last_failure }: BackupStatus): boolean =>
  last_failure !== null && (last_success === null || last_failure.at > last_success.at)

/** Whether a scheduled backup is due: some time after the last one, and an hour after a failure. */
export async function isBackupDue (db: Db, { now, everyMs }: { now: Date, everyMs: number }): Promise<boolean> {
  const { last_success, last_failure } = await findBackupStatus(db)
  const age = (outcome: { at: Date } | null) => outcome === null ? Infinity : now.getTime() - outcome.at.getTime()
  return age(last_success) >= everyMs && age(last_failure) >= failureDelayMs
}
