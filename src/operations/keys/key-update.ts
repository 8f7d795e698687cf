import { renameKey } from '../../../db/queries/keys.js'
import { Key, KeyUpdateInput } from '../../../schemas/key.js'
import { keyOf } from '../../accounts/records.js'
import { KeyExists, KeyNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

/** Changes no grant: a new grant is a new key. @throws KeyNotFound, KeyExists */
export const keyUpdate = operation({
  name: 'key_update',
  title: 'Rename a key',
  description: 'Renames an MCP key. Its secret, scope, projects and expiry stay.',
  input: KeyUpdateInput,
  output: Key,
  async handler ({ db, account }, { key_id, name }) {
    const renamed = await renameKey(db, account.id, key_id, name.trim())
    if (renamed === undefined) throw new KeyNotFound(key_id)
    if (renamed === 'taken') throw new KeyExists(name.trim())
    return keyOf(renamed)
  }
})
