import { replaceSecret } from '../../../db/queries/keys.js'
import { KeyCreated, KeyInput } from '../../../schemas/key.js'
import { mcpUrl, mintKey } from '../../accounts/keys.js'
import { keyOf } from '../../accounts/records.js'
import { InvalidArguments, KeyNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

const expired = 'This key has expired. Create a new one.'

/** @throws KeyNotFound, InvalidArguments if the key has expired */
export const keyReplace = operation({
  name: 'key_replace',
  title: 'Replace the secret of a key',
  description:
    'Gives an MCP key a new secret and returns it, once. The former secret stops working; name, scope, projects and expiry stay.',
  input: KeyInput,
  output: KeyCreated,
  async handler ({ db, account, baseUrl, now }, { key_id }) {
    const { key, ...stored } = await mintKey()
    const replaced = await db.transaction().execute(async transaction => {
      const replaced = await replaceSecret(transaction, account.id, key_id, stored)
      if (replaced === undefined) throw new KeyNotFound(key_id)
      if (replaced.expires_at !== null && replaced.expires_at <= now()) {
        throw new InvalidArguments(expired, { userMessage: expired })
      }
      return replaced
    })
    return { ...keyOf(replaced), api_key: key, mcp_url: mcpUrl(baseUrl(), key) }
  }
})
