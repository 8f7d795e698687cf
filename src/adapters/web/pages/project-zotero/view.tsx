import type { Project } from '../../../../../schemas/project.js'
import type { ZoteroCollection, ZoteroConnection, ZoteroLibrary, ZoteroSync } from '../../../../../schemas/zotero.js'
import { zoteroConnect } from '../../../../operations/zotero/zotero-connect.js'
import { boundsOf } from '../../fields.js'
import { Confirm } from '../../components/confirm.js'
import { ExternalLink } from '../../components/external-link.js'
import { Checkbox, Field, Form, RefusalNotice, Select } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { refreshWhile, ReloadHint } from '../../components/refreshing.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

/** Libraries and collections that can be synced. */
export interface Offer {
  libraries: readonly ZoteroLibrary[]
  library: ZoteroLibrary | undefined
  collections: readonly ZoteroCollection[]
  /** Why there is nothing to choose. */
  problem: string | undefined
}

interface ZoteroProps { project: Project, connection: ZoteroConnection, sync: ZoteroSync | null, offer: Offer | undefined }

/** The page of a project's sync with Zotero. */
export function ProjectZotero ({ project, connection, sync, offer }: ZoteroProps) {
  return (
    <>
      <h1>Zotero</h1>
      <p class='lead page-lead'>
        Import collections of your Zotero library into this project, and export starred papers to a collection. Nothing is deleted on
        either side.
      </p>
      {sync !== null && <SyncState project={project} sync={sync} connection={connection} />}
      {connection.connected && connection.key_rejected_at === null
        ? <Choice project={project} sync={sync} offer={offer} pausedUntil={connection.paused_until} />
        : <Connect isAgain={connection.connected} />}
      {connection.connected && <Connection connection={connection} />}
    </>
  )
}

const keysAddress = 'https://www.zotero.org/settings/keys/new'

function Connect ({ isAgain }: { isAgain: boolean }) {
  return (
    <section aria-labelledby='connect'>
      <h2 id='connect'>{isAgain ? 'Connect again' : 'Connect'}</h2>
      {isAgain && <Notice kind='warn'>Zotero no longer accepts your key. Create a new one to continue.</Notice>}
      <p class='section-text'>
        Create a key at <ExternalLink href={keysAddress}>zotero.org</ExternalLink> with library access, and with write access if starred
        papers should go to Zotero. The key is stored encrypted and never shown again.
      </p>
      <Form action='connect' class='stack form-column'>
        <Field
          name='api_key'
          label='API key'
          type='password'
          autocomplete='off'
          required
          {...boundsOf(zoteroConnect.input.properties.api_key)}
        />
        <button>Connect</button>
      </Form>
    </section>
  )
}

function Connection ({ connection: { username, connected_at } }: { connection: ZoteroConnection }) {
  return (
    <section aria-labelledby='connection'>
      <h2 id='connection'>Connection</h2>
      <p class='section-text'>
        Connected as <strong dir='auto'>{username}</strong> since <Time at={connected_at} precise />, for all of your projects.
      </p>
      <RefusalNotice actions={['disconnect']} />
      <Confirm label='Disconnect'>
        <p>Deletes the key and stops the sync of every project. Papers, votes and the items in Zotero stay.</p>
        <Form action='disconnect' inRow><button class='danger'>Disconnect from Zotero</button></Form>
      </Confirm>
    </section>
  )
}

const count = new Intl.NumberFormat('en')

/** How the last sync went. Refreshes itself while one waits or runs. */
function SyncState ({ project, sync, connection }: { project: Project, sync: ZoteroSync, connection: ZoteroConnection }) {
  const { to } = useView()
  const path = `/projects/${project.id}/zotero`
  const canSync = connection.connected && connection.key_rejected_at === null && connection.paused_until === null
  return (
    <section id='state' aria-labelledby='state-title' {...refreshWhile(sync.syncing, '#state', to(`${path}?refresh=true`))}>
      <h2 id='state-title'>Sync</h2>
      <RefusalNotice actions={['sync', 'stop']} />
      {sync.last_error !== null && <Notice kind='bad'>{sync.last_error}</Notice>}
      <div class='stack'>
        <p role='status'>
          {sync.syncing ? 'Syncing…' : <>Last sync <Time at={sync.last_synced_at} precise missing='not finished yet' /></>}
          {!sync.syncing && canSync && project.matching_state === 'active' && <>, next <Time at={sync.next_sync_at} precise /></>}.
          {sync.syncing && <ReloadHint address={to(path)} />}
        </p>
        <p class='quiet-text'>
          {count.format(sync.imported)} from Zotero, {count.format(sync.sent)} created in Zotero
          {sync.refused > 0 && `, ${count.format(sync.refused)} rejected by Zotero`}.
          {project.matching_state === 'paused' && ' The project is paused and syncs only when you ask.'}
        </p>
        <div class='buttons'>
          {!sync.syncing && canSync && <Form action='sync' address={path} inRow><button class='secondary'>Sync now</button></Form>}
          <Confirm label='Stop syncing'>
            <p>The project forgets which Zotero items it has synced. Its papers and the items in Zotero stay.</p>
            <Form action='stop' address={path} inRow><button class='danger'>Stop syncing</button></Form>
          </Confirm>
        </div>
      </div>
    </section>
  )
}

interface ChoiceProps { project: Project, sync: ZoteroSync | null, offer: Offer | undefined, pausedUntil: string | null }

/** The form that sets what is synced. */
function Choice ({ project, sync, offer, pausedUntil }: ChoiceProps) {
  const { to } = useView()
  if (pausedUntil !== null) {
    return <Notice kind='warn'>Zotero asked Litfeed to slow down. Try again after <Time at={pausedUntil} precise />.</Notice>
  }
  if (offer === undefined) return null
  const { libraries, library, collections, problem } = offer
  if (problem !== undefined || library === undefined) {
    return <Notice kind='bad'>{problem ?? 'Your key has no access to a library. Connect again with another key.'}</Notice>
  }
  const path = `/projects/${project.id}/zotero`
  const current = sync?.library === library.library ? sync : null
  const chosen = new Set(current?.collections.map(({ key }) => key))
  return (
    <section aria-labelledby='choice'>
      <h2 id='choice'>What to sync</h2>
      {libraries.length > 1 && (
        <nav aria-label='Library' class='tabs'>
          {libraries.map(each => (
            <a
              key={each.library}
              href={to(`${path}?library=${encodeURIComponent(each.library)}`)}
              aria-current={each.library === library.library ? 'true' : undefined}
            >
              <span dir='auto'>{each.name}</span>
            </a>
          ))}
        </nav>
      )}
      {collections.length === 0
        ? <p class='quiet-text'>{library.name} has no collections. Create one in Zotero, then reload this page.</p>
        : (
          <Form action='save' address={`${path}?library=${encodeURIComponent(library.library)}`} class='stack form-column'>
            <input type='hidden' name='library' value={library.library} />
            <fieldset>
              <legend>Import into this project</legend>
              {collections.map(({ key, name }) => (
                <Checkbox key={key} name='collections' value={key} label={name} checked={chosen.has(key)} />
              ))}
            </fieldset>
            <Checkbox
              name='learn'
              label='Upvote these papers'
              hint='Upvotes each paper added from Zotero. Papers already in the feed keep their votes.'
              checked={current?.learn ?? false}
            />
            {library.writable
              ? (
                <Select
                  name='target'
                  label='Export starred papers to'
                  value={current?.target?.key ?? ''}
                  options={[{ value: '', label: 'None' }, ...collections.map(({ key, name }) => ({ value: key, label: name }))]}
                />
                )
              : <p class='quiet-text'>Starred papers are not sent: your key has no write access to {library.name}.</p>}
            <button>Save and sync</button>
          </Form>
          )}
    </section>
  )
}
