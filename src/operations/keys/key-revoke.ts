import { deleteKeyByName } from '../../../db/queries/keys.js'
import { Nothing } from '../../../schemas/account.js'
import { defaultKeyName } from '../../../schemas/key.js'
import { NoInput } from '../../../schemas/project.js'
import { operation } from '../operation.js'

export const keyRevoke = operation({
  name: 'key_revoke',
  title: 'Revoke the MCP key',
  description: 'Revokes the account\'s MCP key within a second. Without a key, does nothing.',
  input: NoInput,
  output: Nothing,
  async handler ({ db, account }) {
    await deleteKeyByName(db, account.id, defaultKeyName)
    return {}
  }
})
