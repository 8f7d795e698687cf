import { unpublishSnapshot } from '../../../db/queries/snapshots.js'
import { NoResult } from '../../../schemas/empty.js'
import { SnapshotReference } from '../../../schemas/snapshot.js'
import { operation } from '../operation.js'
import { snapshotNotFound } from '../../papers/snapshots/record.js'

/** @throws NotFound */
export const snapshotUnpublish = operation({
  name: 'snapshot_unpublish',
  title: 'Unpublish a snapshot',
  description: 'Ends the public page of a snapshot at once. The snapshot stays, and can be published again at the same address.',
  input: SnapshotReference,
  output: NoResult,
  async handler ({ db, account }, { project_id, snapshot_id }) {
    if (!await unpublishSnapshot(db, account.id, project_id, snapshot_id)) throw snapshotNotFound()
    return {}
  }
})
