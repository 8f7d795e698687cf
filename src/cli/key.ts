import type { Key } from '../../schemas/key.js'
import type { Context } from '../operations/context.js'
import { accountFind } from '../operations/accounts/account-find.js'
import { keyCreate } from '../operations/keys/key-create.js'
import { keyDelete } from '../operations/keys/key-delete.js'
import { keyReplace } from '../operations/keys/key-replace.js'
import { keyRevoke } from '../operations/keys/key-revoke.js'
import { keyRotate } from '../operations/keys/key-rotate.js'
import { keysList } from '../operations/keys/keys-list.js'
import { KeyNotFound } from '../errors/operation-errors.js'
import { actingForAccount } from './acting-for.js'
import { type Command, collect } from './command.js'
import { emailOption } from './option-texts.js'
import { withService } from './with-service.js'

const nameOption = ['--name <name>', 'name of the key (default: the Default key)'] as const
const shownOnce = ({ api_key, mcp_url }: { api_key: string, mcp_url: string }) =>
  `Key: ${api_key}\nMCP address for clients that accept only a URL: ${mcp_url}\nThe key is shown only once.`

/** @throws KeyNotFound */
async function findKeyId (context: Context, name: string): Promise<string> {
  const key = (await keysList.run(context, {})).items.find(key => key.name === name)
  if (key === undefined) throw new KeyNotFound(`"${name}"`)
  return key.id
}

export const keyListCommand: Command = {
  name: 'key list',
  summary: 'list the MCP keys of an account',
  operations: [accountFind, keysList],
  declare: program => program.requiredOption(...emailOption),
  run: (terminal, { email }) => withService(terminal, async service => {
    const keys = await keysList.run(await actingForAccount(service, email), {})
    terminal.print(keys, keys.items.map(lineOf).join('\n') || 'No keys yet.')
  })
}

function lineOf ({ name, masked, scope, project_ids, expires_at, last_used_at, last_client }: Key): string {
  return [
    masked,
    name,
    scope,
    project_ids === null ? 'all projects' : `projects ${project_ids.join(', ')}`,
    ...(expires_at === null ? [] : [`expires ${expires_at}`]),
    last_used_at === null ? 'never used' : `last used ${last_used_at}`,
    ...(last_client === null ? [] : [`by ${[last_client.name, last_client.version].filter(part => part !== null).join(' ')}`])
  ].join('  ')
}

export const keyCreateCommand: Command = {
  name: 'key create',
  summary: 'create an MCP key',
  operations: [accountFind, keyCreate],
  declare: program => program.requiredOption(...emailOption)
    .requiredOption('--name <name>', 'name of the key')
    .option('--scope <scope>', 'read; or act, which can also vote, add papers and change projects', 'read')
    .option('--project <id>', 'project that the key can access; repeatable (default: all)', collect)
    .option('--expires <time>', 'when the key stops working, such as 2027-01-01 (default: never)'),
  run (terminal, { email, name, scope, project, expires }) {
    const input = keyCreate.check({
      name,
      scope,
      ...(project === undefined ? {} : { project_ids: project }),
      ...(expires === undefined ? {} : { expires_at: expires })
    })
    return withService(terminal, async service => {
      const key = await keyCreate.run(await actingForAccount(service, email), input)
      terminal.print(key, shownOnce(key))
    })
  }
}

export const keyRotateCommand: Command = {
  name: 'key rotate',
  summary: 'replace the secret of an MCP key; creates the Default key if there is none',
  operations: [accountFind, keyRotate, keysList, keyReplace],
  declare: program => program.requiredOption(...emailOption).option(...nameOption),
  run: (terminal, { email, name }) =>
    withService(terminal, async service => {
      const context = await actingForAccount(service, email)
      const key = name === undefined
        ? await keyRotate.run(context, {})
        : await keyReplace.run(context, { key_id: await findKeyId(context, name) })
      terminal.print(key, shownOnce(key))
    })
}

export const keyRevokeCommand: Command = {
  name: 'key revoke',
  summary: 'revoke an MCP key',
  operations: [accountFind, keyRevoke, keysList, keyDelete],
  declare: program => program.requiredOption(...emailOption).option(...nameOption),
  run: (terminal, { email, name }) =>
    withService(terminal, async service => {
      const context = await actingForAccount(service, email)
      if (name === undefined) await keyRevoke.run(context, {})
      else await keyDelete.run(context, { key_id: await findKeyId(context, name) })
      terminal.print(
        { revoked: true },
        `Revoked the key ${name === undefined ? '' : `"${name}" `}of ${email}. It stops working within a second.`
      )
    })
}
