import { Type } from 'typebox'
import { projectsList } from '../../../operations/projects/projects-list.js'
import { isDisabled } from '../../../sources/projects/disabled.js'
import { fromText } from '../fields.js'
import { accountPage } from '../page.js'
import { Pager } from '../components/pager.js'
import { Time } from '../components/time.js'
import { useView } from '../view.js'
import { type Project, defaultProjectLimit } from '../../../../schemas/project.js'

/** All projects with their counts. */
export const projectsPage = accountPage({
  url: '/',
  operations: [projectsList],
  query: Type.Object({ offset: Type.Optional(Type.String()) }),
  async show (context, { offset }) {
    const page = await projectsList.run(context, { offset }, fromText)
    return { title: 'Projects', content: <Projects {...page} offset={Number(offset ?? 0)} /> }
  }
})

function Projects ({ items, total, offset }: { items: readonly Project[], total: number, offset: number }) {
  const { to } = useView()
  return (
    <>
      <div class='title-row'>
        <h1>Projects</h1>
        <div class='buttons'>
          {items.length > 0 && <a class='button secondary' href={to('/feed')}>All projects</a>}
          {items.length > 0 && <a class='button secondary' href={to('/add')}>Add a paper</a>}
          <a class='button' href={to('/projects/new')}>New project</a>
        </div>
      </div>
      {total === 0
        ? (
          <p class='empty'>
            No projects yet. A project is a research interest with a feed of papers.{' '}
            <a href={to('/projects/new')}>Create your first project</a>.
          </p>
          )
        : (
          <ul class='project-list'>
            {items.map(project => (
              <ProjectRow key={project.id} {...project} />
            ))}
          </ul>
          )}
      {items.length > 0 && <p class='quiet-text below-list'><a href={to('/offline')}>Saved papers</a>, also without a connection</p>}
      <Pager
        offset={offset}
        limit={defaultProjectLimit}
        has_more={offset + items.length < total}
        count={items.length}
        total={total}
        address={from => from === 0 ? '/' : `/?offset=${from}`}
        label='Pages of projects'
        previous='Newer projects'
        next='Older projects'
      />
    </>
  )
}

function ProjectRow ({ id, name, interest_description, counts, matching_state, source_states, last_fetched_at }: Project) {
  const { to } = useView()
  const disabled = source_states.filter(isDisabled).length
  const enabled = source_states.filter(state => !isDisabled(state))
  const failed = enabled.filter(({ failures }) => failures > 0).length
  const incomplete = enabled.filter(({ failures, last_error }) => failures === 0 && last_error !== null).length
  const states = [[failed, 'failed'], [incomplete, 'incomplete'], [disabled, 'disabled']] as const
  return (
    <li>
      <div class='project-row-text'>
        <h2><a href={to(`/projects/${id}`)} dir='auto'>{name}</a></h2>
        {interest_description !== '' && <p class='clamp' dir='auto'>{interest_description}</p>}
        <p class='quiet-text'>
          {matching_state === 'paused'
            ? (
                'Paused'
              )
            : source_states.length === 0
              ? 'No sources: it shows what you import'
              : last_fetched_at === null
                ? (
                    failed > 0 ? 'No successful fetch yet' : 'Not checked yet'
                  )
                : (
                  <>
                    Last fetched <Time at={last_fetched_at} />
                  </>
                  )}
          {states.filter(([count]) => count > 0).map(([count, state]) => (
            <span key={state}>
              {' '}
              · <a href={to(`/projects/${id}/settings#sources`)}>{count === 1 ? '1 source' : `${count} sources`} {state}</a>
            </span>
          ))}
        </p>
      </div>
      <dl class='counts'>
        <div><dt>must read</dt><dd class={counts.must_read > 0 ? 'accented' : ''}>{counts.must_read.toLocaleString('en')}</dd></div>
        <div><dt>unrated</dt><dd>{counts.unrated.toLocaleString('en')}</dd></div>
        <div><dt>papers</dt><dd>{counts.papers.toLocaleString('en')}</dd></div>
      </dl>
    </li>
  )
}
