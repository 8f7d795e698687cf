import { setSnapshotSchedule } from '../../../db/queries/snapshots.js'
import { type SnapshotSchedule, SnapshotScheduleInput, SnapshotsResult } from '../../../schemas/snapshot.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { snapshotsList } from './snapshots-list.js'

/** When a schedule is due after a time: the next Monday, or the next first day of a month, at midnight UTC. */
export function nextSnapshotAt (schedule: SnapshotSchedule, after: Date): Date {
  const [year, month, day] = [after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate()]
  if (schedule === 'monthly') return new Date(Date.UTC(year, month + 1, 1))
  return new Date(Date.UTC(year, month, day + 7 - (after.getUTCDay() + 6) % 7))
}

/** @throws ProjectNotFound */
export const snapshotSchedule = operation({
  name: 'snapshot_schedule',
  title: 'Schedule snapshots',
  description: 'Freezes a snapshot of a project every week or month, or stops doing so.',
  input: SnapshotScheduleInput,
  output: SnapshotsResult,
  scope: 'act',
  async handler (context, { project_id, schedule }) {
    const { db, account, now } = context
    const nextAt = schedule === null ? null : nextSnapshotAt(schedule, now())
    if (!await setSnapshotSchedule(db, account.id, project_id, { schedule, nextAt })) throw new ProjectNotFound(project_id)
    return await snapshotsList.run(context, { project_id })
  }
})
