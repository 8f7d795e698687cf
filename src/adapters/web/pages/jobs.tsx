import { Type } from 'typebox'
import type { AdministrationJobsResult } from '../../../../schemas/administration.js'
import { type Job, jobRetentionDays, jobStates, maxKeptJobs, type TaskName, taskTitles } from '../../../../schemas/job.js'
import { administrationJobRetry } from '../../../operations/administration/administration-job-retry.js'
import { administrationJobs } from '../../../operations/administration/administration-jobs.js'
import { fromText } from '../fields.js'
import { action, administratorPage } from '../page.js'
import { Administration } from '../components/administration.js'
import { formatCount } from '../components/figures.js'
import { Form, RefusalNotice } from '../components/form.js'
import { Pager } from '../components/pager.js'
import { Time } from '../components/time.js'
import { useView } from '../view.js'

const Query = Type.Pick(administrationJobs.input, ['state', 'task', 'offset'])
const pageSize = 50
const path = '/administration/jobs'

/** Jobs of all accounts, by state, for administrators. */
export const jobsPage = administratorPage({
  url: path,
  operations: [administrationJobs],
  query: Query,
  async show (context, query) {
    const result = await administrationJobs.run(context, { ...query, limit: pageSize }, fromText)
    const filter = { state: query.state as State, task: query.task as TaskName | undefined }
    return { title: 'Jobs', content: <Jobs {...result} filter={filter} /> }
  },
  actions: {
    retry: action({
      operations: [administrationJobRetry],
      fields: Type.Object({ ...administrationJobRetry.input.properties, ...Query.properties }),
      async run (context, { job_id, state, task, offset }) {
        await administrationJobRetry.run(context, { job_id })
        const page = { state: state as State, task: task as TaskName | undefined, offset: Number(offset ?? 0) }
        return { to: address(page), notice: 'The job will be retried.' }
      }
    })
  }
})

type State = Job['state'] | undefined

interface Filter { state: State, task: TaskName | undefined }

function address ({ state, task, offset = 0 }: Filter & { offset?: number | undefined }): string {
  const query = new URLSearchParams({
    ...(state === undefined ? {} : { state }),
    ...(task === undefined ? {} : { task }),
    ...(offset > 0 ? { offset: String(offset) } : {})
  }).toString()
  return query === '' ? path : `${path}?${query}`
}

const shownStates = ['waiting', 'running', 'failed', 'done'] as const satisfies typeof jobStates[number][]
const stateNames: Record<Job['state'], string> = { waiting: 'Waiting', running: 'Running', failed: 'Failed', done: 'Done' }
const emptyStates: Record<Job['state'] | 'all', string> = {
  all: 'No jobs yet. Fetching, scoring, conversions, summaries and alerts appear here.',
  waiting: 'No waiting jobs.',
  running: 'No running jobs.',
  failed: 'No failed jobs.',
  done: 'No finished jobs.'
}

const Jobs = ({ items, counts, total, limit, offset, has_more, filter }: AdministrationJobsResult & { filter: Filter }) => (
  <Administration>
    {filter.task !== undefined && <OneKind task={filter.task} />}
    <nav class='state-filters' aria-label='State'>
      <StateLink state={undefined} filter={filter} name='All' number={Object.values(counts).reduce((sum, each) => sum + each, 0)} />
      {shownStates.map(each => <StateLink key={each} state={each} filter={filter} name={stateNames[each]} number={counts[each]} />)}
    </nav>
    <RefusalNotice actions={['retry']} />
    {total === 0
      ? <p class='empty'>{emptyStates[filter.state ?? 'all']}</p>
      : <ul class='entries jobs'>{items.map(job => <JobRow key={job.id} {...job} filter={filter} offset={offset} />)}</ul>}
    <Pager
      {...{ offset, limit, total, has_more }}
      count={items.length}
      address={from => address({ ...filter, offset: from })}
      previous='Newer'
      next='Older'
    />
    <p class='hint below-list'>
      Finished jobs are kept for {jobRetentionDays} days; of each account and kind, at most {formatCount(maxKeptJobs)} that are done and
      as many that failed. Only the owner of a job can see its project or paper.
    </p>
  </Administration>
)

function OneKind ({ task }: { task: TaskName }) {
  const { to } = useView()
  return <p>Only: {taskTitles[task] ?? task}. <a href={to(path)}>All kinds</a></p>
}

function StateLink ({ state, filter, name, number }: { state: State, filter: Filter, name: string, number: number }) {
  const { to } = useView()
  return (
    <a href={to(address({ ...filter, state }))} aria-current={state === filter.state ? 'true' : undefined}>
      {name} <span class='filter-number'>{formatCount(number)}</span>
    </a>
  )
}

const badges: Record<Job['state'], string> = { waiting: '', running: 'accented', failed: 'bad', done: 'good' }

function JobRow ({
  id,
  task,
  state,
  account_email,
  attempts,
  error,
  updated_at,
  filter,
  offset
}: AdministrationJobsResult['items'][number] & { filter: Filter, offset: number }) {
  return (
    <li>
      <p class='row-name'>{taskTitles[task] ?? task} <span class={`badge ${badges[state]}`}>{state}</span></p>
      <p class='quiet-text job-owner'>{account_email ?? 'service'}</p>
      <p class='quiet-text'>{attempts === 0 ? 'not started' : `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`}</p>
      <p class='quiet-text'><Time at={updated_at} precise /></p>
      {state === 'failed' && (
        <Form action='retry' address={path} class='job-retry' inRow>
          <input type='hidden' name='job_id' value={id} />
          {filter.state !== undefined && <input type='hidden' name='state' value={filter.state} />}
          {filter.task !== undefined && <input type='hidden' name='task' value={filter.task} />}
          {offset > 0 && <input type='hidden' name='offset' value={offset} />}
          <button class='secondary small'>
            Retry{' '}
            <span class='unseen'>
              {taskTitles[task] ?? task}, {account_email ?? 'service'}
            </span>
          </button>
        </Form>
      )}
      {error !== null && state !== 'done' && <p class='job-error'>{state === 'failed' ? error : `Last attempt failed: ${error}`}</p>}
    </li>
  )
}
