import { replaceKey } from '../../../db/queries/keys.js'
import { McpKeyRotated } from '../../../schemas/account.js'
import { defaultKeyName } from '../../../schemas/key.js'
import { NoInput } from '../../../schemas/empty.js'
import { mcpUrl, mintKey } from '../../accounts/keys.js'
import { operation } from '../operation.js'

export const keyRotate = operation({
  name: 'key_rotate',
  title: 'Replace the MCP key',
  description: 'Creates the account\'s MCP key and returns it, this once. The former key stops working.',
  input: NoInput,
  output: McpKeyRotated,
  async handler ({ db, account, now, baseUrl }) {
    const { key, ...stored } = await mintKey()
    const { prefix, created_at } = await replaceKey(db, { account_id: account.id, name: defaultKeyName, ...stored }, now())
    return { api_key: key, prefix, created_at: created_at.toISOString(), mcp_url: mcpUrl(baseUrl(), key) }
  }
})
