import { setSnapshotSchedule } from '../../../db/queries/snapshots.js'
import { SnapshotScheduleInput, SnapshotsResult } from '../../../schemas/snapshot.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { nextSnapshotAt } from '../../papers/snapshots/schedule.js'
import { operation } from '../operation.js'
import { snapshotsList } from './snapshots-list.js'

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
