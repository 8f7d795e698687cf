import { deleteKeyByName } from '../../../db/queries/keys.js'
import { defaultKeyName } from '../../../schemas/key.js'
import { NoInput, NoResult } from '../../../schemas/empty.js'
import { operation } from '../operation.js'

export const keyRevoke = operation({
  name: 'key_revoke',
  title: 'Revoke the MCP key',
  description: 'Revokes the account\'s MCP key within a second. Without a key, does nothing.',
  input: NoInput,
  output: NoResult,
  async handler ({ db, account }) {
    await deleteKeyByName(db, account.id, defaultKeyName)
    return {}
  }
})
