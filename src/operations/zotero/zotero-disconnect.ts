import { deleteZoteroAccount } from '../../../db/queries/zotero.js'
import { NoInput, NoResult } from '../../../schemas/empty.js'
import { operation } from '../operation.js'

export const zoteroDisconnect = operation({
  name: 'zotero_disconnect',
  title: 'Disconnect from Zotero',
  description: 'Deletes the Zotero key and stops every sync. Papers and votes stay in the feeds, items stay in Zotero.',
  input: NoInput,
  output: NoResult,
  async handler ({ db, account }) {
    await deleteZoteroAccount(db, account.id)
    return {}
  }
})
