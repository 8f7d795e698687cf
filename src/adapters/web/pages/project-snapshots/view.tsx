import type { SnapshotDetails } from '../../../../../schemas/snapshot.js'
import { Copy } from '../../components/copy.js'
import { Notice } from '../../components/notice.js'
import { refreshWhile, ReloadHint } from '../../components/refreshing.js'
import { useView } from '../../view.js'
import { SnapshotContent, SnapshotPeriod } from './content.js'
import { Publication } from './publication.js'

/** A snapshot: how to cite it, its counts, sources and model, and its publication. */
export function SnapshotView ({ snapshot }: { snapshot: SnapshotDetails }) {
  const { to } = useView()
  const { id, project_id, frozen_at, since, until, citation, published_at, summary, state, error } = snapshot
  const list = `/projects/${project_id}/snapshots`
  return (
    <>
      <p><a href={to(list)}>All snapshots</a></p>
      <h1>Snapshot</h1>
      {state === 'freezing' && (
        <div {...refreshWhile(true, 'main', to(`${list}/${id}`), 3)}>
          <Notice kind='plain'>The snapshot is being frozen. It takes a few seconds.<ReloadHint address={to(`${list}/${id}`)} /></Notice>
        </div>
      )}
      {state === 'failed' && <Notice kind='bad'>{error}</Notice>}
      {summary !== null && citation !== null && (
        <>
          <SnapshotPeriod frozenAt={frozen_at} since={since} until={until} archive={`${list}/${id}/archive`} />
          <section aria-labelledby='cite' class='stack'>
            <h2 id='cite'>Cite</h2>
            <Copy text={citation} label='the citation' />
            <p class='section-text quiet-text'>
              {published_at === null && (
                <>
                  Only you can open the address in this citation, signed in. <a href='#publish'>Publish</a> the snapshot to cite one that
                  anyone can open.{' '}
                </>
              )}
              <code>litfeed snapshot verify FILE</code> checks a downloaded archive offline: its hash, counts and tables.
            </p>
          </section>
          <Publication snapshot={snapshot} />
          <SnapshotContent summary={summary} />
        </>
      )}
    </>
  )
}
