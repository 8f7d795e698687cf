import { accountFind } from '../operations/accounts/account-find.js'
import { keyRevoke } from '../operations/keys/key-revoke.js'
import { keyRotate } from '../operations/keys/key-rotate.js'
import { actingForAccount } from './acting-for.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

export const keyRotateCommand: Command = {
  name: 'key rotate',
  summary: 'create an account\'s MCP key and revoke the previous one',
  operations: [accountFind, keyRotate],
  declare: program => program.requiredOption('--email <email>', 'address of the account'),
  run: (terminal, { email }) => withService(terminal, async service => {
    const key = await keyRotate.run(await actingForAccount(service, email), {})
    terminal.print(key, `Key: ${key.api_key}\nMCP address for clients that accept only a URL: ${key.mcp_url}\nThe key is shown only once.`)
    return undefined
  })
}

export const keyRevokeCommand: Command = {
  name: 'key revoke',
  summary: 'revoke an account\'s MCP key',
  operations: [accountFind, keyRevoke],
  declare: program => program.requiredOption('--email <email>', 'address of the account'),
  run: (terminal, { email }) => withService(terminal, async service => {
    await keyRevoke.run(await actingForAccount(service, email), {})
    terminal.print({ revoked: true }, `Revoked the key of ${email}. It stops working within a second.`)
    return undefined
  })
}
