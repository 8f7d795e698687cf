import { findKeyByName } from '../../../db/queries/keys.js'
import { McpKeyResult } from '../../../schemas/account.js'
import { defaultKeyName } from '../../../schemas/key.js'
import { NoInput } from '../../../schemas/empty.js'
import { maskKey } from '../../accounts/keys.js'
import { operation } from '../operation.js'

export const keyGet = operation({
  name: 'key_get',
  title: 'Get the MCP key',
  description: 'Returns the key prefix and dates of the account\'s MCP key, or null. The key itself is shown only when it is created.',
  input: NoInput,
  output: McpKeyResult,
  async handler ({ db, account }) {
    const key = await findKeyByName(db, account.id, defaultKeyName)
    if (key === undefined) return { key: null }
    return {
      key: {
        prefix: key.prefix,
        masked: maskKey(key.prefix),
        created_at: key.created_at.toISOString(),
        last_used_at: key.last_used_at?.toISOString() ?? null
      }
    }
  }
})
