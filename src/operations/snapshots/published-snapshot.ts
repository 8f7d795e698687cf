import { findPublishedSnapshot } from '../../../db/queries/snapshots.js'
import { PublishedSnapshot, PublishedSnapshotInput } from '../../../schemas/snapshot.js'
import { citationOf, publicSnapshotUrl, publishedSnapshotNotFound } from '../../papers/snapshots/record.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export type PublishedSnapshotContext = Pick<ServiceContext, 'db' | 'baseUrl'>

/** Finds what is published at a hash, with its citation. @throws NotFound */
export async function openPublishedSnapshot ({ db, baseUrl }: PublishedSnapshotContext, sha256: string) {
  const snapshot = await findPublishedSnapshot(db, sha256.toLowerCase())
  if (snapshot === undefined) throw publishedSnapshotNotFound()
  return { ...snapshot, citation: citationOf(snapshot, publicSnapshotUrl(baseUrl(), snapshot.sha256)) }
}

/** @throws NotFound, the same for a hash without a snapshot and for one that is not published */
export const publishedSnapshot = operation({
  name: 'published_snapshot',
  title: 'Read a published snapshot',
  description: 'Returns a published snapshot to anyone, with its sources and queries, its model, and counts of records.',
  input: PublishedSnapshotInput,
  output: PublishedSnapshot,
  async handler (context: PublishedSnapshotContext, input) {
    const { project_name, since, until, frozen_at, published_at, sha256, citation, summary } =
      await openPublishedSnapshot(context, input.sha256)
    return {
      project_name,
      since: since?.toISOString() ?? null,
      until: until.toISOString(),
      frozen_at: frozen_at.toISOString(),
      published_at: published_at.toISOString(),
      sha256,
      citation,
      summary
    }
  }
})
