import { readPublishedParts } from '../../../db/queries/snapshots.js'
import { PublishedSnapshotInput, SnapshotArchive } from '../../../schemas/snapshot.js'
import { snapshotArchive } from '../../papers/snapshots/archive.js'
import { archiveNameOf } from '../../papers/snapshots/record.js'
import { interleave } from '../../threads/interleave.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'
import { openPublishedSnapshot, type PublishedSnapshotContext } from './published-snapshot.js'

/** @throws NotFound, the same for a hash without a snapshot and for one that is not published; RateLimited */
export const publishedSnapshotDownload = operation({
  name: 'published_snapshot_download',
  title: 'Download a published snapshot',
  description: 'Returns the archive of a published snapshot to anyone.',
  input: PublishedSnapshotInput,
  output: SnapshotArchive,
  async handler (context: PublishedSnapshotContext & Pick<AnonymousContext, 'address' | 'sharedDb' | 'sharedWork'>, { sha256 }) {
    const { sharedExports, publishedArchives } = context.sharedWork
    const snapshot = await openPublishedSnapshot(context, sha256)
    const { id, account_id, summary } = snapshot
    async function * archive () {
      const parts = () => readPublishedParts(context.sharedDb, account_id, id)
      // Each piece of an archive waits for its turn, not only what is read: writing it takes more time.
      yield * interleave(sharedExports, id, snapshotArchive({ ...snapshot, flow: summary.flow }, parts))
    }
    const download = { listId: id, accountId: account_id, network: context.address }
    return { media_type: 'application/zip', file_name: archiveNameOf(snapshot), parts: publishedArchives(download, archive()) }
  }
})
