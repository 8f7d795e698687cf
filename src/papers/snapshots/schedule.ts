import { dayMs } from '../../../schemas/durations.js'
import type { SnapshotSchedule } from '../../../schemas/snapshot.js'
import { mondayOf } from '../../../schemas/utc-time.js'

/** When a schedule is due after a time: the next Monday, or the next first day of a month, at midnight UTC. */
export function nextSnapshotAt (schedule: SnapshotSchedule, after: Date): Date {
  if (schedule === 'monthly') return new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + 1, 1))
  return new Date(mondayOf(after).getTime() + 7 * dayMs)
}
