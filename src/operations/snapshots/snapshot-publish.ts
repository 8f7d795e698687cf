import { findSnapshot, publishSnapshot } from '../../../db/queries/snapshots.js'
import { Snapshot, SnapshotReference } from '../../../schemas/snapshot.js'
import { operation } from '../operation.js'
import { snapshotNotFound, snapshotNotFrozen, snapshotOf } from '../../papers/snapshots/record.js'

/** @throws NotFound, InvalidArguments for a snapshot that is not frozen */
export const snapshotPublish = operation({
  name: 'snapshot_publish',
  title: 'Publish a snapshot',
  description:
    'Lets anyone read a frozen snapshot and download its archive at public_url, without signing in: interest, keywords, queries, every ' +
    'paper with its decision, and counts. Calling it again changes nothing.',
  input: SnapshotReference,
  output: Snapshot,
  async handler ({ db, account, now, baseUrl }, { project_id, snapshot_id }) {
    const row = await findSnapshot(db, account.id, project_id, snapshot_id)
    if (row !== undefined && row.frozen_at === null) throw snapshotNotFrozen()
    const published = row && await publishSnapshot(db, account.id, project_id, snapshot_id, now())
    if (published === undefined) throw snapshotNotFound()
    return snapshotOf(published, baseUrl())
  }
})
