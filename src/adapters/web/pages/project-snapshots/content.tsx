import type { SnapshotSummary } from '../../../../../schemas/snapshot.js'
import { flowRows } from '../../../../papers/snapshots/flow.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'
import { PrismaBoxes } from './prisma-flow.js'

const formatKnownCount = (value: number | null) => value === null ? 'unknown' : value.toLocaleString('en')
const stateTitles = { complete: 'OK', failing: 'Failing', not_fetched: 'Not checked yet' } as const

/** An end of a period. Days are those of UTC; a moment, such as that of freezing, is shown like other times. */
export const PeriodEnd = ({ at }: { at: string }) =>
  at.endsWith('T00:00:00.000Z') ? <Time at={at} precise zone='UTC' /> : <Time at={at} precise />

/** When a snapshot was frozen, its period, and its archive. @param archive path of the download */
export function SnapshotPeriod (
  { frozenAt, since, until, archive }: { frozenAt: string | null, since: string | null, until: string | null, archive: string }
) {
  const { to } = useView()
  return (
    <>
      <p class='section-text'>
        Frozen <Time at={frozenAt} precise />:{' '}
        {since === null ? 'all papers added' : <>papers added from <Time at={since} zone='UTC' /></>} until{' '}
        {until !== null && <PeriodEnd at={until} />}.
      </p>
      <p class='section-text'><a href={to(archive)} class='button'>Download archive</a></p>
    </>
  )
}

/** Counts of a snapshot, its sources and model. */
export const SnapshotContent = ({ summary }: { summary: SnapshotSummary }) => (
  <>
    <Flow summary={summary} />
    <Sources summary={summary} />
    <Model summary={summary} />
  </>
)

function Flow ({ summary: { flow } }: { summary: SnapshotSummary }) {
  const { one_source_known } = flow.identified
  return (
    <section aria-labelledby='flow'>
      <h2 id='flow'>PRISMA flow</h2>
      <PrismaBoxes flow={flow} />
      <details class='fold'>
        <summary>Show as table</summary>
        <table class='tables'>
          <thead>
            <tr><th scope='col'>Stage</th><th scope='col'>Records</th><th scope='col' class='number'>Number</th></tr>
          </thead>
          <tbody>
            {flowRows(flow).map(([stage, box, records]) => (
              <tr key={box}><td>{stage}</td><th scope='row'>{box}</th><td class='number'>{formatKnownCount(records)}</td></tr>
            ))}
          </tbody>
        </table>
      </details>
      <p class='section-text quiet-text'>
        Votes don’t distinguish abstract screening from full-text screening, so the numbers of reports are unknown.
        {one_source_known > 0 && (
          <>
            {' '}Papers from versions of Litfeed that did not record all sources of a paper: {formatKnownCount(one_source_known)}. Each
            counts for one source.
          </>
        )}
      </p>
    </section>
  )
}

const Sources = ({ summary: { sources } }: { summary: SnapshotSummary }) => (
  <section aria-labelledby='sources'>
    <h2 id='sources'>Sources</h2>
    {sources.length === 0
      ? <p class='quiet-text'>The project had no sources.</p>
      : (
        <table class='tables stacked' role='table'>
          <thead role='rowgroup'>
            <tr role='row'>
              {['Source', 'Query', 'State', 'Last success'].map(head => <th key={head} role='columnheader' scope='col'>{head}</th>)}
            </tr>
          </thead>
          <tbody role='rowgroup'>
            {sources.map(({ name, title, query, state, last_fetched_at }) => (
              <tr key={`${name} ${query}`} role='row'>
                <th scope='row' role='rowheader'>{title}</th>
                <td role='cell' data-label='Query'><code>{query}</code></td>
                <td role='cell' data-label='State'>{stateTitles[state]}</td>
                <td role='cell' data-label='Last success'><Time at={last_fetched_at} precise /></td>
              </tr>
            ))}
          </tbody>
        </table>
        )}
  </section>
)

const Model = ({ summary: { model } }: { summary: SnapshotSummary }) => (
  <section aria-labelledby='model'>
    <h2 id='model'>Scoring</h2>
    <p class='section-text'>
      Litfeed {model.program}
      {model.sha256 === null
        ? ', nothing learned yet.'
        : (
          <>, model trained <Time at={model.trained_at} precise /> on {formatKnownCount(model.liked)}{' '}
            {model.liked === 1 ? 'upvote or star' : 'upvotes and stars'} and{' '}
            {formatKnownCount(model.disliked)} {model.disliked === 1 ? 'downvote' : 'downvotes'}, <code>sha256:{model.sha256}</code>.
          </>
          )}
    </p>
  </section>
)
