import type { ProjectProgress, SourceProgress } from '../../../../../schemas/project-progress.js'
import { formatQuantity } from '../../../../input/validator.js'
import { originTitle } from '../../../../sources/index.js'
import { Form } from '../../components/form.js'
import { NotAdded } from '../../components/not-added.js'
import { useView } from '../../view.js'
import type { FeedLocation } from './address.js'

interface ProgressProps {
  location: FeedLocation
  progress: ProjectProgress
  /** Papers in the feed. */
  papers: number
}

const stateNames: Readonly<Record<SourceProgress['state'], string>> = {
  waiting: 'Waiting',
  fetching: 'Fetching',
  done: 'Done',
  failed: 'Failed'
}

/** The first fetch of a project, source by source. Scripts repeat it, and the list, until every source has answered. */
export function Progress ({ location, progress: { is_new, is_done, sources }, papers }: ProgressProps) {
  const { to } = useView()
  if (!is_new) return null
  const settings = <a href={to(`${location.base}/settings`)}>settings</a>
  const hasOthers = sources.some(({ papers_found, papers_entered }) => papers_found > papers_entered)
  const state = !is_done ? 'fetching' : sources.every(hasFailed) ? 'failed' : 'done'
  return (
    <details id='progress' class='fetch-progress' open={papers === 0} data-state={state} data-papers={papers}>
      <summary><span role='status'>{sentenceOf(sources, is_done)}</span></summary>
      <ul class='progress-sources'>
        {sources.map(source => <SourceLine key={`${source.name} ${source.query}`} {...source} />)}
      </ul>
      {is_done && hasOthers && <NotAdded project={location.base} />}
      {is_done && papers === 0 && (
        <p class='quiet-text'>
          {sources.some(hasFailed)
            ? <>Failed sources are retried automatically. See their status in the {settings}.</>
            : <>Nothing new matches yet. Lower the minimum score or add keywords in the {settings}.</>}
        </p>
      )}
      <noscript><p class='quiet-text'>Reload the page to see new papers.</p></noscript>
    </details>
  )
}

/** Reasons why a feed gets no papers: a pause, and sources that failed or are disabled. The first fetch states failures itself. */
export function Interruptions ({ location, progress }: Pick<ProgressProps, 'location' | 'progress'>) {
  const { to } = useView()
  const { is_new, is_paused, sources, disabled_sources } = progress
  const failed = is_new ? 0 : sources.filter(hasFailed).length
  if (!is_paused && failed === 0 && disabled_sources === 0) return null
  const settings = to(`${location.base}/settings`)
  return (
    <p class='interruptions'>
      {is_paused && <a href={`${settings}#pausing`}>Paused</a>}
      {failed > 0 && <a href={`${settings}#sources`}>{formatQuantity(failed, 'source')} failed</a>}
      {disabled_sources > 0 && <a href={`${settings}#sources`}>{formatQuantity(disabled_sources, 'source')} disabled</a>}
    </p>
  )
}

function sentenceOf (sources: readonly SourceProgress[], isDone: boolean): string {
  const added = sources.reduce((sum, { papers_entered }) => sum + papers_entered, 0)
  const papers = added === 1 ? '1 paper added' : `${added.toLocaleString('en')} papers added`
  const failed = sources.filter(hasFailed).length
  if (isDone && failed === sources.length) return 'First fetch failed: all sources failed'
  if (isDone) return `First fetch complete: ${papers}${failed === 0 ? '' : `, ${formatQuantity(failed, 'source')} failed`}`
  const answered = sources.filter(({ state }) => state === 'done' || state === 'failed').length
  return `Fetching: ${answered} of ${sources.length} ${sources.length === 1 ? 'source' : 'sources'} done, ${papers}`
}

const hasFailed = ({ state }: SourceProgress) => state === 'failed'

const SourceLine = ({ name, query, state, papers_found, papers_entered, error }: SourceProgress) => (
  <li data-state={state} title={query === '' ? undefined : query}>
    <span class='progress-name'>{originTitle(name)}</span>
    <span class='progress-state'>{stateNames[state]}</span>
    <span class='progress-count'>
      {state !== 'waiting' && (state !== 'failed' || papers_found > 0) &&
        `${papers_found.toLocaleString('en')} found, ${papers_entered.toLocaleString('en')} added`}
    </span>
    {error !== null && <span class='progress-error'>{error}</span>}
  </li>
)

/** Says that papers are invented, and removes the project with one click. */
export function SampleNotice ({ location }: { location: FeedLocation }) {
  return (
    <div class='sample-notice'>
      <p>Sample with invented papers</p>
      <Form action='remove-sample' address={location.base} inRow>
        <button class='quiet'>Remove sample</button>
      </Form>
    </div>
  )
}
