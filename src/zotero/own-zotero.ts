import { findZoteroAccount } from '../../db/queries/zotero.js'
import type { Caller } from '../../db/caller.js'
import { NotFound } from '../errors/operation-errors.js'
import type { Zotero } from './client.js'
import { ZoteroError } from './errors.js'

interface ConnectionContext extends Caller {
  zotero: {
    secrets: { open: (accountId: string, sealed: Uint8Array) => string | undefined }
    open: (apiKey: string, signal?: AbortSignal) => Zotero
  }
}

/** The key was sealed with another JWT_SECRET, as after a restore. */
const keyUnreadable = () => new ZoteroError('key_rejected', 'The stored Zotero key can no longer be read. Connect again.')

/** Opens Zotero for the caller. @throws NotFound if the account is not connected, ZoteroError if its key cannot be read */
export async function openOwnZotero (
  { db, account, zotero: { open, secrets } }: ConnectionContext,
  signal?: AbortSignal
): Promise<Zotero> {
  const row = await findZoteroAccount(db, account.id)
  if (row === undefined) {
    throw new NotFound('The account is not connected to Zotero. Connect it with PUT /api/zotero.', {
      userMessage: 'Your account is not connected to Zotero. Connect it first.'
    })
  }
  const apiKey = secrets.open(account.id, row.api_key)
  if (apiKey === undefined) throw keyUnreadable()
  return open(apiKey, signal)
}
