import { listKeys } from '../../../db/queries/keys.js'
import { KeysListResult } from '../../../schemas/key.js'
import { NoInput } from '../../../schemas/project.js'
import { keyOf } from '../../accounts/records.js'
import { operation } from '../operation.js'

export const keysList = operation({
  name: 'keys_list',
  title: 'List keys',
  description: 'Returns the account\'s MCP keys with their scope, projects, expiry and last use, without their secrets.',
  input: NoInput,
  output: KeysListResult,
  async handler ({ db, account }) {
    return { items: (await listKeys(db, account.id)).map(keyOf) }
  }
})
