import type { Project } from '../../../../../schemas/project.js'
import { Busy } from '../../parts/busy.js'
import { Copy } from '../../parts/copy.js'
import { Field, Form } from '../../parts/form.js'
import { Notice } from '../../parts/notice.js'
import { InterestField, KeywordFields, type KnownSource, SourceFields, ThresholdFields } from '../../parts/project-fields.js'
import type { ProjectValues } from '../../project-values.js'
import { useView } from '../../view.js'
import { type Preview, SettingsPreview } from './preview.js'
import { type Look, SourceHealth } from './source-health.js'

export type { Look } from './source-health.js'

interface SettingsProps {
  project: Project
  /** What stands in the form. */
  values: ProjectValues
  sources: readonly KnownSource[]
  atomUrl: string
  preview: Preview | undefined
  look: Look | undefined
  now: Date
}

export function ProjectSettings ({ project, values, sources, atomUrl, preview, look, now }: SettingsProps) {
  return (
    <>
      <h1>Settings</h1>
      <Form action='save' class='guided'>
        <button name='action' value='save' hidden>Save</button>
        <section aria-labelledby='interest'>
          <h2 id='interest'>Interest</h2>
          <div class='stack'>
            <Field name='name' label='Name' value={values.name} maxlength={200} required />
            <InterestField values={values} />
          </div>
        </section>
        <section aria-labelledby='words'>
          <h2 id='words'>Keywords</h2>
          <KeywordFields values={values} />
        </section>
        <section aria-labelledby='amount'>
          <h2 id='amount'>How much comes in</h2>
          <ThresholdFields values={values} />
        </section>
        <section aria-labelledby='where'>
          <h2 id='where'>Where papers come from</h2>
          <p class='hint'>Ticked sources are asked for your keywords every few hours.</p>
          <SourceFields values={values} sources={sources} />
        </section>
        <Change preview={preview} />
        <SaveBar project={project} />
      </Form>
      <SourceHealth project={project} sources={sources} look={look} now={now} />
      <section aria-labelledby='atom'>
        <h2 id='atom'>Atom feed</h2>
        <p class='section-text'>For a feed reader or a reference manager. The address holds a token of yours: whoever has it can read the feed. Under Connect, you can replace it.</p>
        <Copy text={atomUrl} label='the address of the Atom feed' />
      </section>
      <Pausing project={project} />
      <Deleting project={project} />
    </>
  )
}

function Change ({ preview }: { preview: Preview | undefined }) {
  const { refused } = useView()
  return (
    <section aria-labelledby='change'>
      <h2 id='change'>What the change would do</h2>
      <div id='preview' class='preview' aria-live='polite'>
        {refused?.action === 'preview' && <Notice kind='bad'>{refused.message}</Notice>}
        {preview === undefined
          ? refused?.action !== 'preview' && <p class='quiet-text'>A preview compares the papers of the last 30 days with the settings above, and saves nothing. Sources are not asked for it.</p>
          : <SettingsPreview preview={preview} />}
      </div>
    </section>
  )
}

function SaveBar ({ project }: { project: Project }) {
  const { to } = useView()
  const address = to(`/projects/${project.id}/settings`)
  return (
    <div class='finish'>
      <button name='action' value='save'>Save</button>
      <button class='secondary' name='action' value='preview' hx-post={address} hx-target='#preview' hx-select='#preview > *' hx-swap='innerHTML show:#change:top' hx-disabled-elt='this' hx-indicator='#comparing'>Preview</button>
      <Busy id='comparing'>Scoring the last 30 days …</Busy>
    </div>
  )
}

function Pausing ({ project: { matching_state } }: { project: Project }) {
  const paused = matching_state === 'paused'
  return (
    <section aria-labelledby='pausing'>
      <h2 id='pausing'>{paused ? 'This project is paused' : 'Pause'}</h2>
      <p class='section-text'>{paused ? 'No source is looked at. The feed, your votes and what they have taught are as they were.' : 'While a project is paused, no source is looked at for it. The feed stays, and you can read, vote and search as before.'}</p>
      <Form action={paused ? 'resume' : 'pause'}>
        <button class='secondary'>{paused ? 'Resume' : 'Pause the project'}</button>
      </Form>
    </section>
  )
}

function Deleting ({ project: { name, counts } }: { project: Project }) {
  return (
    <section aria-labelledby='deleting' class='danger-zone'>
      <h2 id='deleting'>Delete</h2>
      <p class='section-text'>
        Deletes the project with its feed of {counts.papers.toLocaleString('en')} {counts.papers === 1 ? 'paper' : 'papers'}, your votes in it, and its alerts. This cannot be undone; only a backup of the service has it then.
      </p>
      <Form action='delete' class='stack'>
        <Field name='typed_name' label='Type the project’s name to delete it' hint={<>Its name is <strong>{name}</strong>.</>} autocomplete='off' action='delete' required />
        <button class='danger'>Delete for good</button>
      </Form>
    </section>
  )
}
