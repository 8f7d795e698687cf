import type { findJob } from '../../db/queries/jobs.js'
import type { Job } from '../../schemas/job.js'

/** Converts a stored job to the published record. */
export function jobOf (row: NonNullable<Awaited<ReturnType<typeof findJob>>>): Job {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
