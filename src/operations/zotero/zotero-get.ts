import { findZoteroAccount, pauseEnd } from '../../../db/queries/zotero.js'
import { NoInput } from '../../../schemas/empty.js'
import { ZoteroConnection } from '../../../schemas/zotero.js'
import { operation } from '../operation.js'

export const zoteroGet = operation({
  name: 'zotero_get',
  title: 'Get the connection with Zotero',
  description: 'Returns the Zotero connection: user name and state of the key. Never returns the key.',
  input: NoInput,
  output: ZoteroConnection,
  async handler ({ db, account, now }) {
    const row = await findZoteroAccount(db, account.id)
    return {
      connected: row !== undefined,
      username: row?.username ?? null,
      connected_at: row?.connected_at.toISOString() ?? null,
      key_rejected_at: row?.rejected_at?.toISOString() ?? null,
      paused_until: row === undefined ? null : pauseEnd(row, now())?.toISOString() ?? null
    }
  }
})
