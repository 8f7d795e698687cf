import type { ComponentChildren } from 'preact'
import type { Key, KeysListResult } from '../../../../../schemas/key.js'
import { keyCreate } from '../../../../operations/keys/key-create.js'
import { boundsOf } from '../../fields.js'
import { Confirm } from '../../components/confirm.js'
import { Checkbox, Field, Form, RefusalNotice, Select } from '../../components/form.js'
import { Pager } from '../../components/pager.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

interface Project { project_id: string, name: string }

/** Projects of a key that its row names. */
const maxNamed = 5

/** The address of a page of keys. */
export const keysAddress = (offset: number): string => offset > 0 ? `/connect?offset=${offset}` : '/connect'

interface KeysProps {
  page: KeysListResult
  projects: readonly Project[]
  now: Date
  /** A key that was just created. */
  children: ComponentChildren
}

/** A page of keys with what they may do and who used them last, and the form that creates another. */
export function Keys ({ page: { items: keys, limit, offset, has_more }, projects, now, children }: KeysProps) {
  const names = new Map(projects.map(({ project_id, name }) => [project_id, name]))
  return (
    <section aria-labelledby='keys'>
      <h2 id='keys'>All keys</h2>
      <p class='quiet-text before-list'>Create one key per client to see when it was last used and revoke it separately.</p>
      <RefusalNotice actions={['replace', 'revoke']} />
      {children}
      {keys.length === 0 && offset === 0 && <p class='quiet-text'>No keys yet.</p>}
      {keys.length > 0 && (
        <div class='scroll' tabIndex={0} role='region' aria-label='Keys'>
          <table class='keys stacked' role='table'>
            <thead role='rowgroup'>
              <tr role='row'>
                <th role='columnheader' scope='col'>Name</th>
                <th role='columnheader' scope='col'>Scope</th>
                <th role='columnheader' scope='col'>Projects</th>
                <th role='columnheader' scope='col'>Expires</th>
                <th role='columnheader' scope='col'>Last used</th>
                <th role='columnheader' scope='col'>
                  <span class='unseen'>Actions</span>
                </th>
              </tr>
            </thead>
            <tbody role='rowgroup'>
              {keys.map(key => (
                <KeyRow key={key.id} entry={key} names={names} offset={offset} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager
        {...{ offset, limit, has_more }}
        count={keys.length}
        address={from => `${keysAddress(from)}#keys`}
        label='Pages of keys'
      />
      <CreateKey projects={projects} />
    </section>
  )
}

const scopes: Record<Key['scope'], string> = { read: 'Read', act: 'Read and act' }

interface KeyRowProps {
  entry: Key
  /** Names of the account's projects by id. */
  names: ReadonlyMap<string, string>
  offset: number
  now: Date
}

function KeyRow ({ entry, names, offset, now }: KeyRowProps) {
  const { id, name, masked, scope, project_ids, expires_at, last_used_at, last_client } = entry
  const isExpired = expires_at !== null && new Date(expires_at) <= now
  return (
    <tr role='row'>
      <th role='rowheader' scope='row'>{name}<br /><code class='quiet-text'>{masked}</code></th>
      <td role='cell' data-label='Scope'>{scopes[scope]}</td>
      <td role='cell' data-label='Projects'>
        {project_ids === null ? 'All' : project_ids.slice(0, maxNamed).map(each => names.get(each) ?? 'deleted project').join(', ')}
        {project_ids !== null && project_ids.length > maxNamed && ` and ${project_ids.length - maxNamed} more`}
      </td>
      <td role='cell' data-label='Expires'>{isExpired ? <span class='badge bad'>expired</span> : <Time at={expires_at} zone='UTC' />}</td>
      <td role='cell' data-label='Last used'>
        <Time at={last_used_at} precise />
        {last_client !== null && (
          <>
            <br />
            <span class='quiet-text'>{[last_client.name, last_client.version].filter(part => part !== null).join(' ')}</span>
          </>
        )}
      </td>
      <td role='cell' class='key-actions'>
        <div class='row-buttons'>
          {!isExpired && (
            <Confirm label='Replace' about={name} small>
              <p class='quiet-text'>Creates a new secret. The old one stops working within a second.</p>
              <Form action='replace' address='/connect#keys' inRow>
                <input type='hidden' name='key_id' value={id} />
                {offset > 0 && <input type='hidden' name='offset' value={offset} />}
                <button class='small'>Replace <span class='unseen'>{name}</span></button>
              </Form>
            </Confirm>
          )}
          <Confirm label='Revoke' about={name} small>
            <p class='quiet-text'>The key stops working within a second.</p>
            <Form action='revoke' address='/connect#keys' inRow>
              <input type='hidden' name='key_id' value={id} />
              {offset > 0 && <input type='hidden' name='offset' value={offset} />}
              <button class='danger small'>Revoke <span class='unseen'>{name}</span></button>
            </Form>
          </Confirm>
        </div>
      </td>
    </tr>
  )
}

const { name } = keyCreate.input.properties

function CreateKey ({ projects }: { projects: readonly Project[] }) {
  const isRefused = useView().refused?.action === 'create'
  return (
    <details class='create-key' open={isRefused}>
      <summary class='button secondary'>Create another key</summary>
      <Form action='create' address='/connect#keys' class='stack form-column'>
        <Field name='name' label='Name' hint='The client that will use it, such as “Claude on my laptop”.' required {...boundsOf(name)} />
        <Select
          name='scope' label='Scope'
          hint='Read keys cannot change anything. Act keys can also vote, add papers, and create and change projects.'
          value='read' options={[{ value: 'read', label: scopes.read }, { value: 'act', label: scopes.act }]}
        />
        {projects.length > 0 && (
          <fieldset class='stack'>
            <legend>Projects</legend>
            <p class='hint'>Select none for all projects, including future ones.</p>
            {projects.map(({ project_id, name }) => <Checkbox key={project_id} name='projects' value={project_id} label={name} />)}
          </fieldset>
        )}
        <Field
          name='expires_at'
          label='Expires'
          type='date'
          hint='The key stops working at the start of this day (UTC). Leave empty for a key that does not expire.'
        />
        <button>Create</button>
      </Form>
    </details>
  )
}
