import type { SnapshotSchedule } from '../../../schemas/snapshot.js'

/** When a schedule is due after a time: the next Monday, or the next first day of a month, at midnight UTC. */
export function nextSnapshotAt (schedule: SnapshotSchedule, after: Date): Date {
  const [year, month, day] = [after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate()]
  if (schedule === 'monthly') return new Date(Date.UTC(year, month + 1, 1))
  return new Date(Date.UTC(year, month, day + 7 - (after.getUTCDay() + 6) % 7))
}
