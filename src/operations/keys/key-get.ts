import { findKeyOfAccount } from '../../../db/queries/keys.js'
import { McpKeyResult } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/project.js'
import { maskKey } from '../../accounts/keys.js'
import { operation } from '../operation.js'

export const keyGet = operation({
  name: 'key_get',
  title: 'Show the MCP key',
  description: 'Tells whether the account has an MCP key, and since when; the key itself was shown once, when it was made.',
  input: NoInput,
  output: McpKeyResult,
  async handler ({ db, account }) {
    const key = await findKeyOfAccount(db, account.id)
    if (key === undefined) return { key: null }
    return { key: { prefix: key.prefix, masked: maskKey(key.prefix), created_at: key.created_at.toISOString(), last_used_at: key.last_used_at?.toISOString() ?? null } }
  }
})
