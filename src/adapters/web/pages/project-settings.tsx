import { Type } from 'typebox'
import type { Project } from '../../../../schemas/project.js'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import { feedAtomUrl } from '../../../operations/feed/feed-atom-url.js'
import { jobGet } from '../../../operations/jobs/job-get.js'
import type { Context } from '../../../operations/context.js'
import { projectDelete } from '../../../operations/projects/project-delete.js'
import { projectFetchQueue } from '../../../operations/projects/project-fetch-queue.js'
import { projectPreview } from '../../../operations/projects/project-preview.js'
import { projectUpdate } from '../../../operations/projects/project-update.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { sourcesList } from '../../../operations/administration/sources-list.js'
import { type Fields, fromText } from '../fields.js'
import { accountPage, action, type Shown } from '../page.js'
import { ProjectFields, type ProjectValues, valuesOf } from '../project-values.js'
import { type Look, ProjectSettings } from './project-settings/view.js'

type Preview = Awaited<ReturnType<typeof projectPreview.run>>

/** Everything that a project has, how its sources fare, its Atom feed, and its end. */
export const projectSettingsPage = accountPage({
  url: '/projects/:project_id/settings',
  operations: [projectsGet, sourcesList, feedAtomUrl, jobGet],
  query: Type.Object({ ...projectsGet.input.properties, job: jobGet.input.properties.job_id }),
  async show (context, { project_id = '', job }) {
    return await shown(context, project_id, { job })
  },
  actions: {
    preview: action({
      operations: [projectsGet, projectPreview],
      fields: ProjectFields,
      async run (context, { project_id, ...fields }) {
        const { values } = await changed(context, project_id, fields)
        const { name, sources, ...scored } = values
        return { shown: await shown(context, project_id, { values, preview: await projectPreview.run(context, { project_id, ...scored }, fromText) }) }
      }
    }),
    save: action({
      operations: [projectsGet, projectUpdate],
      fields: ProjectFields,
      async run (context, { project_id, ...fields }) {
        const { project, values } = await changed(context, project_id, fields)
        const saved = await projectUpdate.run(context, { project_id, ...values }, fromText)
        return { to: settingsOf(project_id), notice: scoresChange(project, saved) ? 'Saved. The feed will be rescored within a minute.' : 'Saved.' }
      }
    }),
    pause: action({
      operations: [projectUpdate],
      fields: Type.Object({}),
      async run (context, { project_id }) {
        await projectUpdate.run(context, { project_id, matching_state: 'paused' })
        return { to: settingsOf(project_id), notice: 'Paused. Nothing is fetched until you resume.' }
      }
    }),
    resume: action({
      operations: [projectUpdate],
      fields: Type.Object({}),
      async run (context, { project_id }) {
        await projectUpdate.run(context, { project_id, matching_state: 'active' })
        return { to: settingsOf(project_id), notice: 'Resumed. Fetching starts within a minute.' }
      }
    }),
    fetch: action({
      operations: [projectFetchQueue],
      fields: Type.Object({}),
      async run (context, { project_id }) {
        const { job_id } = await projectFetchQueue.run(context, { project_id })
        return { to: `${settingsOf(project_id)}?job=${job_id}#sources` }
      }
    }),
    delete: action({
      operations: [projectsGet, projectDelete],
      fields: Type.Object({ typed_name: Type.Optional(Type.String()) }),
      async run (context, { project_id, typed_name = '' }) {
        const { name } = await projectsGet.run(context, { project_id })
        if (typed_name.trim() !== name.trim()) throw new InvalidArguments(`The name does not match. Type it exactly: ${name}`)
        await projectDelete.run(context, { project_id })
        return { to: '/', notice: `${name} deleted.` }
      }
    })
  }
})

const settingsOf = (projectId: string) => `/projects/${projectId}/settings`

async function changed (context: Context, projectId: string, fields: Fields<typeof ProjectFields>): Promise<{ project: Project, values: ProjectValues }> {
  const project = await projectsGet.run(context, { project_id: projectId })
  return { project, values: valuesOf(fields, project) }
}

/** Whether something changed that scores are made of. */
const scoresChange = (before: Project, after: Project): boolean =>
  (['interest_description', 'positive_keywords', 'negative_keywords', 'must_read_threshold', 'feed_threshold'] as const).some(setting => JSON.stringify(before[setting]) !== JSON.stringify(after[setting]))

interface State {
  /** As they were entered; the project's own where they are left out. */
  values?: ProjectValues
  preview?: Preview
  /** The job that looks at the sources, where that was just asked for. */
  job?: string | undefined
}

async function shown (context: Context, projectId: string, { values, preview, job }: State): Promise<Shown> {
  const [project, sources, { url }] = await Promise.all([
    projectsGet.run(context, { project_id: projectId }), sourcesList.run(context, {}), feedAtomUrl.run(context, { project_id: projectId })
  ])
  return {
    title: `Settings of ${project.name}`,
    project,
    content: <ProjectSettings project={project} values={values ?? project} sources={sources.items} atomUrl={url} preview={preview} look={job === undefined ? undefined : await lookOf(context, job)} now={context.now()} />
  }
}

/** Where a look at the sources stands that somebody asked for. */
async function lookOf (context: Context, job: string): Promise<Look> {
  const { state, result, error } = await jobGet.run(context, { job_id: job })
  if (state === 'waiting' || state === 'running') return { under: 'way' }
  if (state === 'failed') return { under: 'failed', error: error ?? 'Unknown error.' }
  const looked = (result?.sources ?? []) as Array<{ found: number, entered: number }>
  return { under: 'done', found: looked.reduce((sum, { found }) => sum + found, 0), entered: looked.reduce((sum, { entered }) => sum + entered, 0) }
}
