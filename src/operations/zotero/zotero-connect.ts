import { saveZoteroAccount } from '../../../db/queries/zotero.js'
import { ZoteroConnectInput, ZoteroConnection } from '../../../schemas/zotero.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { ZoteroError } from '../../zotero/errors.js'
import { operation } from '../operation.js'
import { translateZoteroErrors } from '../../zotero/translate-errors.js'
import { zoteroGet } from './zotero-get.js'

/** Attempts of an account in a row wait for Zotero; nothing else limits them. */
const timeoutMs = 30_000

/** @throws InvalidArguments if Zotero does not accept the key, RateLimited, Unavailable */
export const zoteroConnect = operation({
  name: 'zotero_connect',
  title: 'Connect with Zotero',
  description:
    'Connects the account with Zotero by a key from https://www.zotero.org/settings/keys, or replaces the key. The key is stored ' +
    'encrypted and never shown again.',
  input: ZoteroConnectInput,
  output: ZoteroConnection,
  async handler (context, { api_key }) {
    const { db, account, now, zotero: { open, secrets } } = context
    const apiKey = api_key.trim()
    const key = /^[0-9A-Za-z]{8,100}$/.test(apiKey)
      ? await translateZoteroErrors(() => open(apiKey, AbortSignal.timeout(timeoutMs)).key().catch(refuseKey))
      : refuseKey()
    if (!key.user.read && !key.allGroups.read && key.groups.size === 0) {
      throw new InvalidArguments('api_key has no library access. Create a key that allows it.', {
        userMessage: 'This key has no library access. Create one that allows it.'
      })
    }
    await saveZoteroAccount(db, {
      account_id: account.id,
      api_key: secrets.seal(account.id, apiKey),
      user_id: key.userId,
      username: key.username,
      connected_at: now()
    })
    return await zoteroGet.run(context, {})
  }
})

function refuseKey (cause?: unknown): never {
  if (cause !== undefined && !(cause instanceof ZoteroError && cause.fault === 'key_rejected')) throw cause
  throw new InvalidArguments('api_key is not a key that Zotero accepts. Create one at https://www.zotero.org/settings/keys.', {
    userMessage: 'Zotero does not accept this key. Check it, or create a new one.'
  })
}
