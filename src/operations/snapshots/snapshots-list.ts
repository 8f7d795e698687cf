import { findSnapshotSchedule, listSnapshots, sumSnapshotBytes } from '../../../db/queries/snapshots.js'
import { ProjectInput } from '../../../schemas/project.js'
import { SnapshotsResult } from '../../../schemas/snapshot.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { fullReasonFor, snapshotBounds, snapshotOf } from '../../papers/snapshots/record.js'

/** @throws ProjectNotFound */
export const snapshotsList = operation({
  name: 'snapshots_list',
  title: 'List snapshots',
  description: 'Returns the snapshots of a project, newest first, and its schedule.',
  input: ProjectInput,
  output: SnapshotsResult,
  scope: 'read',
  async handler (context, { project_id }) {
    const { db, account, baseUrl } = context
    const schedule = await findSnapshotSchedule(db, account.id, project_id)
    if (schedule === undefined) throw new ProjectNotFound(project_id)
    const rows = await listSnapshots(db, account.id, project_id)
    const full = rows.length >= snapshotBounds.maxSnapshots
      ? 'too many'
      : await sumSnapshotBytes(db, account.id) >= snapshotBounds.maxBytes ? 'too large' : undefined
    return {
      items: rows.map(row => snapshotOf(row, baseUrl())),
      schedule: schedule.snapshot_schedule,
      next_at: schedule.next_snapshot_at?.toISOString() ?? null,
      full: full === undefined ? null : fullReasonFor(context, full)
    }
  }
})
