import type { Follow } from '../../../../../schemas/follow.js'
import { type Project, rescoringDays } from '../../../../../schemas/project.js'
import { projectUpdate } from '../../../../operations/projects/project-update.js'
import { boundsOf } from '../../fields.js'
import { Busy } from '../../components/busy.js'
import { Copy } from '../../components/copy.js'
import { Followed } from '../../components/followed.js'
import { Field, Form, RefusalNotice } from '../../components/form.js'
import { Refusal } from '../../components/notice.js'
import { InterestField, KeywordFields, type SourceChoice, SourceFields, ThresholdFields } from '../../components/project-fields.js'
import type { ProjectValues } from '../../project-values.js'
import { useView } from '../../view.js'
import { type Preview, SettingsPreview } from './preview.js'
import { type FoundScores, Threshold } from './threshold.js'
import { type FetchProgress, SourceHealth } from './source-health.js'

export type { FetchProgress } from './source-health.js'

interface SettingsProps {
  project: Project
  /** Values of the form's fields. */
  values: ProjectValues
  /** Scores of the papers found lately. */
  found: FoundScores
  sources: readonly SourceChoice[]
  follows: readonly Follow[]
  atomUrl: string
  preview: Preview | undefined
  /** The version of the settings that the values were entered for. Default: the one that was sent, else the stored one. */
  version: string | undefined
  storedVersion: string
  /** Labels of settings that were not saved, because others were saved meanwhile. */
  differing: readonly string[]
  fetch: FetchProgress | undefined
  now: Date
}

/** The settings page of a project. */
export function ProjectSettings (
  { project, values, version, storedVersion, found, sources, follows, atomUrl, preview, differing, fetch, now }: SettingsProps
) {
  const { entered, to } = useView()
  return (
    <>
      <h1>Settings</h1>
      <Form action='save' buttonActions={['preview']} class='guided with-preview'>
        <button name='action' value='save' hidden>Save</button>
        <input type='hidden' name='version' value={String(version ?? entered.version ?? storedVersion)} />
        {differing.length > 0 && (
          <Refusal>
            Not saved: these settings were changed elsewhere since you opened this page. Yours differ in: {differing.join(', ')}. Save
            again to replace them, or <a href={to(`/projects/${project.id}/settings`)}>discard yours and see the new settings</a>.
          </Refusal>
        )}
        <section aria-labelledby='interest'>
          <h2 id='interest'>Interest</h2>
          <div class='stack'>
            <Field name='name' label='Name' value={values.name} {...boundsOf(projectUpdate.input.properties.name)} required />
            <InterestField values={values} />
          </div>
        </section>
        <section aria-labelledby='words'>
          <h2 id='words'>Keywords</h2>
          <KeywordFields values={values} />
        </section>
        <section aria-labelledby='amount'>
          <h2 id='amount'>Thresholds</h2>
          <Threshold found={found} threshold={scoreOf(values.feed_threshold)} />
          <ThresholdFields values={values} />
        </section>
        <section aria-labelledby='where'>
          <h2 id='where'>Sources</h2>
          <p class='hint'>Selected sources are searched for your keywords every few hours; without keywords, for your interest.</p>
          <SourceFields values={values} sources={sources} />
        </section>
        <Change project={project} preview={preview} />
        <SaveBar project={project} />
      </Form>
      <SourceHealth project={project} sources={sources} fetch={fetch} now={now} />
      <Followed follows={follows} />
      <ImportLink project={project} />
      <section aria-labelledby='atom'>
        <h2 id='atom'>Atom feed</h2>
        <p class='section-text'>
          For feed readers and reference managers. The address contains a private token: anyone who has it can read the feed. Replace it
          under Connect.
        </p>
        <Copy text={atomUrl} label='the address of the Atom feed' />
      </section>
      <ShareLink project={project} />
      <Pausing project={project} />
      <Deleting project={project} />
    </>
  )
}

/** A score that was entered; what is not a score counts as the lowest. */
const scoreOf = (value: number | string) => Math.min(Math.max(Number(value) || 0, 0), 1)

function Change ({ project: { id }, preview }: { project: Project, preview: Preview | undefined }) {
  const { to, refused } = useView()
  return (
    <section aria-labelledby='change' class='preview-section'>
      <h2 id='change'>Preview</h2>
      {/* Follows the form: one request at a time, once its writer pauses. */}
      <div
        id='preview'
        class='preview'
        aria-live='polite'
        hx-post={to(`/projects/${id}/settings`)}
        hx-trigger='input delay:1500ms from:closest form'
        hx-include='closest form'
        hx-vals='{"action":"preview"}'
        hx-select='#preview > *'
        hx-swap='innerHTML'
        hx-sync='this:queue last'
      >
        <RefusalNotice actions={['preview']} />
        {preview === undefined
          ? (
              refused?.action !== 'preview' && (
                <p class='quiet-text'>Rescores the papers of the last {rescoringDays} days with these settings. Nothing is saved.</p>
              )
            )
          : (
            <SettingsPreview preview={preview} />
            )}
      </div>
    </section>
  )
}

function SaveBar ({ project }: { project: Project }) {
  const { to } = useView()
  const address = to(`/projects/${project.id}/settings`)
  return (
    <div class='finish'>
      <button name='action' value='save'>
        Save
      </button>
      <button
        class='secondary'
        name='action'
        value='preview'
        formaction={`${address}#change`}
        hx-post={address}
        hx-target='#preview'
        hx-select='#preview > *'
        hx-swap='innerHTML show:#change:top'
        hx-sync='this:drop'
        hx-indicator='#comparing'
      >
        Preview
      </button>
      <Busy id='comparing'>Scoring the last {rescoringDays} days…</Busy>
    </div>
  )
}

function ImportLink ({ project: { id } }: { project: Project }) {
  const { to } = useView()
  return (
    <section aria-labelledby='library'>
      <h2 id='library'>Your library</h2>
      <p class='section-text'>Import papers from a file or Zotero. The project can learn from them.</p>
      <div class='buttons'>
        <a class='button secondary' href={to(`/projects/${id}/import`)}>Import files</a>
        <a class='button secondary' href={to(`/projects/${id}/zotero`)}>Sync with Zotero</a>
      </div>
    </section>
  )
}

function ShareLink ({ project: { id } }: { project: Project }) {
  const { to } = useView()
  return (
    <section aria-labelledby='share'>
      <h2 id='share'>Share</h2>
      <p class='section-text'>Share a read-only page of the feed, or of the papers with one tag.</p>
      <a class='button secondary' href={to(`/projects/${id}/sharing`)}>Share links</a>
    </section>
  )
}

function Pausing ({ project: { matching_state } }: { project: Project }) {
  const paused = matching_state === 'paused'
  return (
    <section aria-labelledby='pausing'>
      <h2 id='pausing'>{paused ? 'Project paused' : 'Pause'}</h2>
      <p class='section-text'>
        {paused
          ? 'Fetching and scheduled Zotero syncs are paused. Alerts continue, and the feed and your votes are unchanged.'
          : 'Pausing stops fetching and scheduled Zotero syncs. Alerts continue, and you can still read, vote and search.'}
      </p>
      <Form action={paused ? 'resume' : 'pause'}>
        <button class='secondary'>{paused ? 'Resume' : 'Pause project'}</button>
      </Form>
    </section>
  )
}

function Deleting ({ project: { name, counts } }: { project: Project }) {
  return (
    <section aria-labelledby='deleting' class='danger-zone'>
      <h2 id='deleting'>Delete</h2>
      <p class='section-text'>
        Deletes the project, its feed of {counts.papers.toLocaleString('en')} {counts.papers === 1 ? 'paper' : 'papers'}, your votes, and
        its alerts, share links and snapshots, published ones too. This cannot be undone.
      </p>
      <Form action='delete' class='stack'>
        <Field name='typed_name' label='Project name' hint={<>Type <strong>{name}</strong> to confirm.</>} autocomplete='off' required />
        <button class='danger'>Delete project</button>
      </Form>
    </section>
  )
}
