import { deleteKey } from '../../../db/queries/keys.js'
import { Nothing } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/project.js'
import { operation } from '../operation.js'

export const keyRevoke = operation({
  name: 'key_revoke',
  title: 'Revoke the MCP key',
  description: 'Makes the account\'s MCP key stop working within a second; without a key, nothing happens.',
  input: NoInput,
  output: Nothing,
  async handler ({ db, account }) {
    await deleteKey(db, account.id)
    return {}
  }
})
