import type { PublishedSnapshot } from '../../../../schemas/snapshot.js'
import { publishedSnapshot } from '../../../operations/snapshots/published-snapshot.js'
import { publishedSnapshotDownload } from '../../../operations/snapshots/published-snapshot-download.js'
import { publishedSnapshotNotFound } from '../../../papers/snapshots/record.js'
import { Copy } from '../components/copy.js'
import { publicPage } from '../page.js'
import { SnapshotContent, SnapshotPeriod } from './project-snapshots/content.js'

/** A malformed hash is that of no snapshot. */
const readHash = (sha256: string | undefined): string => {
  if (sha256 === undefined || !/^[0-9a-f]{64}$/i.test(sha256)) throw publishedSnapshotNotFound()
  return sha256
}

/** A published snapshot, for anyone, at the address of its hash. */
export const publishedSnapshotPage = publicPage({
  url: '/snapshots/:sha256',
  isShared: true,
  operations: [publishedSnapshot],
  query: publishedSnapshot.input,
  async show (context, { sha256 }) {
    const snapshot = await publishedSnapshot.run(context, { sha256: readHash(sha256) })
    const title = `${snapshot.project_name}, snapshot of ${snapshot.frozen_at.slice(0, 10)}`
    return { title, noindex: true, content: <PublishedSnapshotView snapshot={snapshot} /> }
  }
})

/** Its archive as a download. */
export const publishedArchivePage = publicPage({
  url: '/snapshots/:sha256/archive',
  isShared: true,
  operations: [publishedSnapshotDownload],
  query: publishedSnapshotDownload.input,
  async show (context, { sha256 }) {
    const { media_type, file_name, parts } = await publishedSnapshotDownload.run(context, { sha256: readHash(sha256) })
    return { file: { body: parts, type: media_type, name: file_name } }
  }
})

const PublishedSnapshotView = (
  { snapshot: { project_name, frozen_at, since, until, sha256, citation, summary } }: { snapshot: PublishedSnapshot }
) => (
  <>
    <h1 dir='auto'>{project_name}</h1>
    <p class='lead page-lead'>A snapshot of a literature review. It never changes.</p>
    <SnapshotPeriod frozenAt={frozen_at} since={since} until={until} archive={`/snapshots/${sha256}/archive`} />
    <section aria-labelledby='cite' class='stack'>
      <h2 id='cite'>Cite</h2>
      <Copy text={citation} label='the citation' />
      <p class='quiet-text'>The hash alone:</p>
      <Copy text={`sha256:${sha256}`} label='the hash' />
      <p class='section-text quiet-text'>
        <code>litfeed snapshot verify FILE --hash sha256:{sha256.slice(0, 8)}…</code> checks a downloaded archive offline: its hash, counts
        and tables.
      </p>
    </section>
    <SnapshotContent summary={summary} />
  </>
)
