import { replaceKey } from '../../../db/queries/keys.js'
import { McpKeyRotated } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/project.js'
import { mintKey } from '../../accounts/keys.js'
import { operation } from '../operation.js'

export const keyRotate = operation({
  name: 'key_rotate',
  title: 'Make a new MCP key',
  description: 'Makes the account\'s MCP key and shows it this once. An earlier key stops working.',
  input: NoInput,
  output: McpKeyRotated,
  async handler ({ db, account, now, baseUrl }) {
    const { key, ...stored } = await mintKey()
    const { prefix, created_at } = await replaceKey(db, { account_id: account.id, ...stored }, now())
    return { api_key: key, prefix, created_at: created_at.toISOString(), mcp_url: `${baseUrl()}/api/mcp/?key=${key}` }
  }
})
