import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { keysOf } from '../../../../schemas/closed-lists.js'
import { defaultThresholds, type Project } from '../../../../schemas/project.js'
import { InvalidArguments, JobNotFound } from '../../../errors/operation-errors.js'
import { feedAtomUrl } from '../../../operations/feed/feed-atom-url.js'
import { followDelete } from '../../../operations/follows/follow-delete.js'
import { followsList } from '../../../operations/follows/follows-list.js'
import { jobGet } from '../../../operations/jobs/job-get.js'
import type { Context } from '../../../operations/context.js'
import { projectDelete } from '../../../operations/projects/project-delete.js'
import { projectFetchQueue } from '../../../operations/projects/project-fetch-queue.js'
import { projectPreview } from '../../../operations/projects/project-preview.js'
import { projectUpdate, scoringSettings } from '../../../operations/projects/project-update.js'
import { projectThresholds } from '../../../operations/projects/project-thresholds.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { sourcesList } from '../../../operations/administration/sources-list.js'
import { visibleText } from '../../../../schemas/visible-text.js'
import { toPoints } from '../../../../schemas/points.js'
import { type Fields, fromText } from '../fields.js'
import { accountPage, action, type PageContent } from '../page.js'
import { inProjectField, mustReadProblem, ProjectFields, type ProjectValues, valuesOf } from '../project-values.js'
import { type FetchProgress, ProjectSettings } from './project-settings/view.js'
import { isUnfinished } from '../../../../schemas/job.js'

type Preview = Awaited<ReturnType<typeof projectPreview.run>>

/** The fields of the form, and the version of the settings that it was filled in from. */
const SettingsFields = Type.Object({ ...ProjectFields.properties, version: Type.Optional(Type.String()) })

/** A project's settings, source status and Atom feed; pauses and deletes it. */
export const projectSettingsPage = accountPage({
  url: '/projects/:project_id/settings',
  operations: [projectsGet, projectThresholds, sourcesList, followsList, feedAtomUrl, jobGet],
  query: Type.Object({ ...projectsGet.input.properties, job: jobGet.input.properties.job_id }),
  async show (context, { project_id = '', job }) {
    return await settingsPage(context, project_id, { job })
  },
  actions: {
    preview: action({
      operations: [projectsGet, projectPreview],
      fields: SettingsFields,
      inField: inProjectField,
      async run (context, { project_id, version, ...fields }) {
        // Before anything is read.
        const { name: _name, sources: _sources, ...entered } = valuesOf(fields, defaultThresholds)
        projectPreview.check({ project_id, ...entered }, fromText)
        const { values } = await enteredValues(context, project_id, fields)
        const { name, sources, ...scored } = values
        return {
          page: await settingsPage(context, project_id, {
            values: { ...values, entered_limit: fields.weekly_limit },
            version,
            preview: await projectPreview.run(context, { project_id, ...scored }, fromText)
          })
        }
      }
    }),
    save: action({
      operations: [projectsGet, projectThresholds, projectUpdate],
      fields: SettingsFields,
      inField: inProjectField,
      async run (context, { project_id, version, ...fields }) {
        projectUpdate.check({ project_id, ...valuesOf(fields, defaultThresholds) }, fromText)
        const { project, values } = await enteredValues(context, project_id, fields)
        const { weekly_limit } = await projectThresholds.run(context, { project_id })
        const stored = { ...project, weekly_limit }
        const differing = version === undefined || version === versionOf(stored) ? [] : differingSettings(stored, values)
        if (differing.length > 0) {
          const shown = { ...values, entered_limit: fields.weekly_limit }
          return { page: await settingsPage(context, project_id, { values: shown, differing }) }
        }
        const saved = await projectUpdate.run(context, { project_id, ...values }, fromText)
        const isRescored = scoresChange(project, saved) || Number(values.weekly_limit) !== weekly_limit
        return {
          to: settingsOf(project_id),
          notice: isRescored ? `Saved. The feed will be rescored within a minute. ${mustReadProblem(saved) ?? ''}`.trim() : 'Saved.'
        }
      }
    }),
    pause: action({
      operations: [projectUpdate],
      fields: Type.Object({}),
      async run (context, { project_id }) {
        await projectUpdate.run(context, { project_id, matching_state: 'paused' })
        return { to: settingsOf(project_id), notice: 'Paused. Fetching and Zotero syncs stop until you resume.' }
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
    unfollow: action({
      operations: [followDelete],
      fields: Type.Pick(followDelete.input, ['follow_id']),
      async run (context, { project_id, follow_id }) {
        await followDelete.run(context, { project_id, follow_id })
        return { to: settingsOf(project_id), notice: 'Unfollowed. The feed will be rescored within a minute.' }
      }
    }),
    delete: action({
      operations: [projectsGet, projectDelete],
      fields: Type.Object({ typed_name: Type.Optional(Type.String()) }),
      async run (context, { project_id, typed_name = '' }) {
        const { name } = await projectsGet.run(context, { project_id })
        if (asRead(typed_name) !== asRead(name)) throw new InvalidArguments(`The name does not match. Type it exactly: ${name}`)
        await projectDelete.run(context, { project_id })
        return { to: '/', notice: `${name} deleted.` }
      }
    })
  }
})

/** A name as people read it and type it again: pages show any white space as one space. */
const asRead = (name: string): string => visibleText(name).normalize('NFC').replace(/\s+/gu, ' ').trim()

const settingsOf = (projectId: string) => `/projects/${projectId}/settings`

async function enteredValues (
  context: Context,
  projectId: string,
  fields: Fields<typeof ProjectFields>
): Promise<{ project: Project, values: ProjectValues }> {
  const project = await projectsGet.run(context, { project_id: projectId })
  return { project, values: valuesOf(fields, project) }
}

/** Whether a setting changed that affects scores. */
const scoresChange = (before: Project, after: Project): boolean =>
  scoringSettings.some(setting => setting !== 'weekly_limit' && JSON.stringify(before[setting]) !== JSON.stringify(after[setting]))

const settingLabels = {
  name: 'Name',
  interest_description: 'Research interest',
  positive_keywords: 'Keywords',
  negative_keywords: 'Excluded keywords',
  feed_threshold: 'Minimum score',
  must_read_threshold: 'Must-read score',
  weekly_limit: 'Papers per week',
  sources: 'Sources'
} as const

/** Each setting as a text that is equal for equal settings, whether stored or entered. */
const comparable = (settings: ProjectValues): Record<keyof typeof settingLabels, string> => ({
  name: settings.name,
  interest_description: settings.interest_description.replaceAll('\r\n', '\n'),
  positive_keywords: String(settings.positive_keywords),
  negative_keywords: String(settings.negative_keywords),
  feed_threshold: `${toPoints(Number(settings.feed_threshold))} points`,
  must_read_threshold: `${toPoints(Number(settings.must_read_threshold))} points`,
  weekly_limit: String(Number(settings.weekly_limit)),
  sources: String(settings.sources.map(({ name, query }) => `${name} ${query}`).sort())
})

/** The labels of the settings that are stored otherwise than entered. */
function differingSettings (stored: ProjectValues, entered: ProjectValues): string[] {
  const [before, now] = [comparable(stored), comparable(entered)]
  return keysOf(settingLabels).filter(setting => before[setting] !== now[setting]).map(setting => settingLabels[setting])
}

/** A digest of the settings. A change that was undone leaves it as it was. */
const versionOf = (stored: ProjectValues): string =>
  createHash('sha256').update(JSON.stringify(comparable(stored))).digest('base64url')

interface State {
  /** Entered values. Default: the project's settings. */
  values?: ProjectValues
  preview?: Preview
  /** The version of the settings that the values were entered for. Default: that of the stored ones. */
  version?: string | undefined
  /** Labels of settings that were not saved, because others were saved meanwhile. */
  differing?: readonly string[]
  /** The job of a fetch that the user just started. */
  job?: string | undefined
}

async function settingsPage (
  context: Context,
  projectId: string,
  { values, preview, job, version, differing = [] }: State
): Promise<PageContent> {
  // First, so that a missing project has one message.
  const project = await projectsGet.run(context, { project_id: projectId })
  const [found, sources, { items: follows }, { url }] = await Promise.all([
    projectThresholds.run(context, { project_id: projectId }),
    sourcesList.run(context, {}),
    followsList.run(context, { project_id: projectId }),
    feedAtomUrl.run(context, { project_id: projectId })
  ])
  const stored = { ...project, weekly_limit: found.weekly_limit }
  return {
    title: `Settings of ${project.name}`,
    project,
    columns: true,
    content: (
      <ProjectSettings
        project={project} values={values ?? stored} version={version} storedVersion={versionOf(stored)}
        found={found} sources={sources.items} follows={follows} atomUrl={url} preview={preview} differing={differing}
        fetch={job === undefined ? undefined : await fetchProgressOf(context, job)} now={context.now()}
      />
    )
  }
}

/** Returns the progress of a fetch that the user started; undefined once its job was deleted: an address may be old. */
async function fetchProgressOf (context: Context, job: string): Promise<FetchProgress | undefined> {
  const found = await jobGet.run(context, { job_id: job }).catch(error => {
    if (!(error instanceof JobNotFound)) throw error
  })
  if (found === undefined) return undefined
  const { state, result, error } = found
  if (isUnfinished({ state })) return { state: 'running' }
  if (state === 'failed') return { state: 'failed', error: error ?? 'Unknown error.' }
  const sources = (result?.sources ?? []) as Array<{ found: number, entered: number }>
  return {
    state: 'done',
    found: sources.reduce((sum, { found }) => sum + found, 0),
    entered: sources.reduce((sum, { entered }) => sum + entered, 0)
  }
}
