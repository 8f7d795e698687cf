import { accountFind } from '../operations/accounts/account-find.js'
import { keyRevoke } from '../operations/keys/key-revoke.js'
import { keyRotate } from '../operations/keys/key-rotate.js'
import { actingForAccount } from './acting-for.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

export const keyRotateCommand: Command = {
  name: 'key rotate',
  summary: 'make an account\'s MCP key; an earlier one stops working',
  operations: [accountFind, keyRotate],
  declare: program => program.requiredOption('--email <email>', 'address of the account'),
  run: (terminal, { email }) => withService(terminal, async service => {
    const key = await keyRotate.run(await actingForAccount(service, email), {})
    terminal.print(key, `Key: ${key.api_key}\nMCP address for clients that take only an address: ${key.mcp_url}\nThis is the only time that the key is shown.`)
    return undefined
  })
}

export const keyRevokeCommand: Command = {
  name: 'key revoke',
  summary: 'make an account\'s MCP key stop working',
  operations: [accountFind, keyRevoke],
  declare: program => program.requiredOption('--email <email>', 'address of the account'),
  run: (terminal, { email }) => withService(terminal, async service => {
    await keyRevoke.run(await actingForAccount(service, email), {})
    terminal.print({ revoked: true }, `The key of ${email} is revoked; it stops working within a second.`)
    return undefined
  })
}
