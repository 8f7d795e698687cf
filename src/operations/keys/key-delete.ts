import { deleteKey } from '../../../db/queries/keys.js'
import { NoResult } from '../../../schemas/empty.js'
import { KeyInput } from '../../../schemas/key.js'
import { KeyNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** @throws KeyNotFound */
export const keyDelete = operation({
  name: 'key_delete',
  title: 'Revoke a key',
  description: 'Revokes an MCP key, which stops working within a second.',
  input: KeyInput,
  output: NoResult,
  async handler ({ db, account }, { key_id }) {
    if (!await deleteKey(db, account.id, key_id)) throw new KeyNotFound(key_id)
    return {}
  }
})
