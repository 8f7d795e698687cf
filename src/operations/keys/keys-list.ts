import { listKeys } from '../../../db/queries/keys.js'
import { KeysListInput, KeysListResult, maxKeys } from '../../../schemas/key.js'
import { keyOf } from '../../accounts/records.js'
import { operation } from '../operation.js'
import { readPage } from '../read-page.js'

export const keysList = operation({
  name: 'keys_list',
  title: 'List keys',
  description: 'Returns the account\'s MCP keys with their scope, projects, expiry and last use, without their secrets.',
  input: KeysListInput,
  output: KeysListResult,
  async handler ({ db, account }, { limit = maxKeys, offset = 0 }) {
    const { rows, page } = await readPage({ limit, offset }, async page => await listKeys(db, account.id, page))
    return { items: rows.map(keyOf), ...page }
  }
})
