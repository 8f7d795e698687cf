import { findSnapshot } from '../../../db/queries/snapshots.js'
import { SnapshotDetails, SnapshotReference } from '../../../schemas/snapshot.js'
import { operation } from '../operation.js'
import { snapshotNotFound, snapshotOf } from '../../papers/snapshots/record.js'

/** @throws NotFound */
export const snapshotGet = operation({
  name: 'snapshot_get',
  title: 'Get a snapshot',
  description: 'Returns a snapshot with its sources and queries, its model, and counts of records as PRISMA 2020 draws them.',
  input: SnapshotReference,
  output: SnapshotDetails,
  scope: 'read',
  async handler ({ db, account, baseUrl }, { project_id, snapshot_id }) {
    const row = await findSnapshot(db, account.id, project_id, snapshot_id)
    if (row === undefined) throw snapshotNotFound()
    return { ...snapshotOf(row, baseUrl()), summary: row.summary }
  }
})
