import { deleteSnapshot } from '../../../db/queries/snapshots.js'
import { NoResult } from '../../../schemas/empty.js'
import { SnapshotReference } from '../../../schemas/snapshot.js'
import { operation } from '../operation.js'
import { snapshotNotFound } from '../../papers/snapshots/record.js'

/** @throws NotFound */
export const snapshotDelete = operation({
  name: 'snapshot_delete',
  title: 'Delete a snapshot',
  description: 'Deletes a snapshot permanently. Archives that were downloaded can still be verified.',
  input: SnapshotReference,
  output: NoResult,
  async handler ({ db, account }, { project_id, snapshot_id }) {
    if (!await deleteSnapshot(db, account.id, project_id, snapshot_id)) throw snapshotNotFound()
    return {}
  }
})
