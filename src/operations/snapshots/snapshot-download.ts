import { findSnapshot, readSnapshotParts } from '../../../db/queries/snapshots.js'
import { SnapshotArchive, SnapshotReference } from '../../../schemas/snapshot.js'
import { snapshotArchive } from '../../papers/snapshots/archive.js'
import { interleave } from '../../threads/interleave.js'
import { operation } from '../operation.js'
import { archiveNameOf, citationOf, publicSnapshotUrl, snapshotNotFound, snapshotNotFrozen } from '../../papers/snapshots/record.js'

/** @throws NotFound, InvalidArguments for a snapshot that is not frozen */
export const snapshotDownload = operation({
  name: 'snapshot_download',
  title: 'Download a snapshot',
  description:
    'Returns a snapshot as a ZIP archive: JSON, a table with decisions, RIS, PRISMA counts and its hash. "litfeed snapshot verify" ' +
    'checks it offline.',
  input: SnapshotReference,
  output: SnapshotArchive,
  scope: 'read',
  async handler ({ db, sharedDb, account, baseUrl, sharedWork }, { project_id, snapshot_id }) {
    const row = await findSnapshot(db, account.id, project_id, snapshot_id)
    if (row === undefined) throw snapshotNotFound()
    const { project_name, frozen_at, sha256, parts, summary } = row
    if (frozen_at === null || sha256 === null || summary === null) throw snapshotNotFrozen()
    const cited = { project_name, frozen_at, sha256 }
    return {
      media_type: 'application/zip',
      file_name: archiveNameOf(cited),
      parts: snapshotArchive(
        { ...cited, citation: citationOf(cited, publicSnapshotUrl(baseUrl(), sha256)), parts, flow: summary.flow },
        () => interleave(sharedWork.exports, account.id, readSnapshotParts(sharedDb, account.id, snapshot_id))
      )
    }
  }
})
