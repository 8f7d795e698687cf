import type { Project } from '../../../../../schemas/project.js'
import { isDisabled } from '../../../../sources/projects/disabled.js'
import { formatCount, formatPapers } from '../../components/figures.js'
import { Form } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { NotAdded } from '../../components/not-added.js'
import type { SourceChoice } from '../../components/project-fields.js'
import { refreshWhile, ReloadHint } from '../../components/refreshing.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

/** Progress of a fetch that the user started. */
export type FetchProgress = { state: 'running' } | { state: 'done', found: number, entered: number } | { state: 'failed', error: string }

interface HealthProps { project: Project, sources: readonly SourceChoice[], fetch: FetchProgress | undefined, now: Date }

/** Status of each source: state, last fetch, next fetch. */
export function SourceHealth ({ project, sources, fetch, now }: HealthProps) {
  const { to, url } = useView()
  const isFetching = fetch?.state === 'running'
  return (
    <section id='sources' {...refreshWhile(isFetching, '#sources', to(url))}>
      <div class='title-row'>
        <h2 id='health'>Source status</h2>
        {project.source_states.length > 0 && (
          <Form action='fetch' address={`/projects/${project.id}/settings`}>
            <button class='secondary' disabled={isFetching}>Fetch now</button>
          </Form>
        )}
      </div>
      {fetch !== undefined && <FetchNotice fetch={fetch} />}
      {project.source_states.length === 0
        ? <p class='quiet-text'>No sources. Select some above, or import files.</p>
        : (
          <div id='source-states' class='scroll' role='region' aria-labelledby='health' tabIndex={0}>
            <table class='health stacked' role='table'>
              <thead role='rowgroup'>
                <tr role='row'>
                  <th role='columnheader' scope='col'>Source</th>
                  <th role='columnheader' scope='col'>Status</th>
                  <th role='columnheader' scope='col'>Last fetch</th>
                  <th role='columnheader' scope='col' class='number'>
                    Found
                  </th>
                  <th role='columnheader' scope='col' class='number'>
                    Added
                  </th>
                  <th role='columnheader' scope='col'>Next fetch</th>
                </tr>
              </thead>
              <tbody role='rowgroup'>
                {project.source_states.map(state => (
                  <SourceRow
                    key={`${state.name} ${state.query}`}
                    state={state}
                    sources={sources}
                    paused={project.matching_state === 'paused'}
                    now={now}
                  />
                ))}
              </tbody>
            </table>
          </div>
          )}
      {project.source_states.some(({ papers_found, papers_entered }) => papers_found > papers_entered) && (
        <NotAdded project={`/projects/${project.id}`} />
      )}
    </section>
  )
}

function FetchNotice ({ fetch }: { fetch: FetchProgress }) {
  const { to, url } = useView()
  if (fetch.state === 'running') {
    return (
      <Notice kind='plain'>
        Fetching from the sources. This can take a few minutes; you can leave this page.<ReloadHint address={to(url)} />
      </Notice>
    )
  }
  if (fetch.state === 'failed') return <Notice kind='bad'>Fetch failed: {fetch.error}</Notice>
  return <Notice kind='good'>Fetched {formatPapers(fetch.found)}, {formatCount(fetch.entered)} added.</Notice>
}

type State = Project['source_states'][number]

function SourceRow ({ state, sources, paused, now }: { state: State, sources: readonly SourceChoice[], paused: boolean, now: Date }) {
  const { name, query, last_fetched_at, last_error, papers_found, papers_entered, next_fetch_at } = state
  const { kind, word } = healthOf(state)
  return (
    <>
      <tr role='row' class={last_error === null ? '' : 'continued'}>
        <th scope='row' role='rowheader'>
          {sources.find(source => source.name === name)?.title ?? name}
          <span class='health-query'>{query.trim() === '' ? 'keywords or interest' : query}</span>
        </th>
        <td role='cell' data-label='Status'>
          <span class={`badge ${kind}`}>{word}</span>
        </td>
        <td role='cell' data-label='Last fetch'>
          <Time at={last_fetched_at} precise />
        </td>
        <td role='cell' class='number' data-label='Found'>{papers_found.toLocaleString('en')}</td>
        <td role='cell' class='number' data-label='Added'>{papers_entered.toLocaleString('en')}</td>
        <td role='cell' data-label='Next fetch'>
          {isDisabled(state)
            ? 'when enabled'
            : paused ? 'when resumed' : Date.parse(next_fetch_at) <= now.getTime() ? 'now' : <Time at={next_fetch_at} precise />}
        </td>
      </tr>
      {last_error !== null && <tr role='row'><td role='cell' colSpan={6} class='health-error'>{last_error}</td></tr>}
    </>
  )
}

function healthOf (state: State): { kind: 'good' | 'warn' | 'bad' | '', word: string } {
  const { failures, last_error, last_fetched_at } = state
  if (isDisabled(state)) return { kind: 'warn', word: 'disabled' }
  if (failures > 0) return { kind: 'bad', word: failures === 1 ? 'failed' : `failed ${failures} times` }
  if (last_error !== null) return { kind: 'warn', word: 'incomplete' }
  return last_fetched_at === null ? { kind: '', word: 'not checked yet' } : { kind: 'good', word: 'OK' }
}
