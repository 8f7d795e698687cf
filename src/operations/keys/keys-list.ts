import { listKeys } from '../../../db/queries/keys.js'
import { KeysListInput, KeysListResult, maxKeys } from '../../../schemas/key.js'
import { keyOf } from '../../accounts/records.js'
import { operation } from '../operation.js'

export const keysList = operation({
  name: 'keys_list',
  title: 'List keys',
  description: 'Returns the account\'s MCP keys with their scope, projects, expiry and last use, without their secrets.',
  input: KeysListInput,
  output: KeysListResult,
  async handler ({ db, account }, { limit = maxKeys, offset = 0 }) {
    const found = await listKeys(db, account.id, { limit: limit + 1, offset })
    return { items: found.slice(0, limit).map(keyOf), limit, offset, has_more: found.length > limit }
  }
})
