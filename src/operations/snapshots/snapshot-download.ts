import { Type } from 'typebox'
import { findSnapshot, readSnapshotParts } from '../../../db/queries/snapshots.js'
import { SnapshotReference } from '../../../schemas/snapshot.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { slugOf } from '../../papers/identity.js'
import { snapshotArchive } from '../../papers/snapshots/archive.js'
import { interleaveExports } from '../../threads/interleave-exports.js'
import { operation } from '../operation.js'
import { snapshotNotFound, snapshotOf } from '../../papers/snapshots/record.js'

/** @throws NotFound, InvalidArguments for a snapshot that is not frozen */
export const snapshotDownload = operation({
  name: 'snapshot_download',
  title: 'Download a snapshot',
  description:
    'Returns a snapshot as a ZIP archive: JSON, a table with decisions, RIS, PRISMA counts and its hash. "litfeed snapshot verify" ' +
    'checks it offline.',
  input: SnapshotReference,
  output: Type.Object({
    media_type: Type.String({ description: 'Media type of the archive.' }),
    file_name: Type.String({ description: 'Name of the archive.' }),
    parts: Type.Unsafe<AsyncIterable<Buffer>>(Type.Unknown({ description: 'The archive in pieces.' }))
  }),
  scope: 'read',
  async handler ({ db, sharedDb, account, baseUrl }, { project_id, snapshot_id }) {
    const row = await findSnapshot(db, account.id, project_id, snapshot_id)
    if (row === undefined) throw snapshotNotFound()
    const { frozen_at, sha256, parts, summary, project_name } = row
    if (frozen_at === null || sha256 === null || summary === null) {
      throw new InvalidArguments(
        'The snapshot is not frozen yet. Wait until GET /api/projects/{project_id}/snapshots lists it with frozen_at.',
        { userMessage: 'This snapshot is not frozen yet. Try again in a few minutes.' }
      )
    }
    const { citation } = snapshotOf(row, baseUrl())
    return {
      media_type: 'application/zip',
      file_name: `${slugOf(project_name)}-${frozen_at.toISOString().slice(0, 10)}-${sha256.slice(0, 8)}.zip`,
      parts: snapshotArchive(
        { citation: citation!, project_name, frozen_at, sha256, parts, flow: summary.flow },
        () => interleaveExports(account.id, readSnapshotParts(sharedDb, account.id, snapshot_id))
      )
    }
  }
})
