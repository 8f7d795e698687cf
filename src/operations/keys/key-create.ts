import { createKey } from '../../../db/queries/keys.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { KeyCreateInput, KeyCreated, maxKeyProjects, maxKeys } from '../../../schemas/key.js'
import { mcpUrl, mintKey } from '../../accounts/keys.js'
import { keyOf } from '../../accounts/records.js'
import { InvalidArguments, KeyExists, ProjectNotFound } from '../../errors/operation-errors.js'
import { readExpiry } from '../../input/read-time.js'
import { operation } from '../operation.js'

/**
 * @throws KeyExists, ProjectNotFound for a foreign project, InvalidArguments for an expiry in the past, one key too many or too many
 * projects of all keys
 */
export const keyCreate = operation({
  name: 'key_create',
  title: 'Create a key',
  description:
    'Creates an MCP key and returns it, once. It reads everything of the account, unless a scope, projects or an expiry say otherwise.',
  input: KeyCreateInput,
  output: KeyCreated,
  async handler ({ db, account, now, baseUrl }, { name, scope = 'read', project_ids, expires_at }) {
    const expiry = expires_at === undefined ? null : readExpiry('expires_at', expires_at, now())
    const projectIds = project_ids === undefined ? null : [...new Set(project_ids.map(id => id.toLowerCase()))]
    if (projectIds !== null) {
      const own = new Set((await listProjectNames(db, account.id)).map(({ id }) => id))
      const foreign = projectIds.find(id => !own.has(id))
      if (foreign !== undefined) throw new ProjectNotFound(foreign)
    }
    const { key, ...stored } = await mintKey()
    const created = await createKey(db, {
      account_id: account.id,
      name: name.trim(),
      scope,
      project_ids: projectIds,
      expires_at: expiry,
      created_at: now(),
      ...stored
    }, maxKeys, maxKeyProjects)
    if (created === 'full') {
      throw new InvalidArguments(`Your account has ${maxKeys.toLocaleString('en')} keys, the maximum. Revoke one first.`)
    }
    if (typeof created === 'number') throw tooManyProjects(created, projectIds!.length)
    if (created === undefined) throw new KeyExists(name.trim())
    return { ...keyOf(created), api_key: key, mcp_url: mcpUrl(baseUrl(), key) }
  }
})

function tooManyProjects (before: number, added: number): InvalidArguments {
  const [present, most] = [before, maxKeyProjects].map(projects => projects.toLocaleString('en'))
  const limit = `Your keys are limited to ${present} projects in all, counted for each key; ` +
    `${added} more would exceed ${most}, the maximum.`
  return new InvalidArguments(`${limit} Send fewer project_ids or none (all projects), or revoke a key first.`, {
    userMessage: `${limit} Select fewer projects, or none for all, or revoke a key first.`
  })
}
