import { findZoteroAccount, isSameZoteroSync, type ZoteroSyncDetails } from '../../../db/queries/zotero.js'
import { Forbidden, InvalidArguments, NotFound, RateLimited, Unavailable } from '../../errors/operation-errors.js'
import { HttpError } from '../../http/client.js'
import type { Zotero, ZoteroKey } from '../../zotero/client.js'
import { ZoteroError } from '../../zotero/errors.js'
import type { Context } from '../context.js'

/** The key was sealed with another JWT_SECRET, as after a restore. */
export const keyUnreadable = () => new ZoteroError('key_rejected', 'The stored key for Zotero cannot be read any more. Connect again.')

/** A sync was stopped, or its settings changed, while it ran. The next sync follows the new settings. */
export class SyncOutdated extends Error {}

/** @throws SyncOutdated */
export async function requireSameSync ({ db, account }: Context, sync: ZoteroSyncDetails): Promise<void> {
  if (!await isSameZoteroSync(db, account.id, sync)) throw new SyncOutdated('The sync was stopped or changed while it ran.')
}

/** Opens Zotero for the caller. @throws NotFound if the account is not connected, ZoteroError if its key cannot be read */
export async function openOwnZotero (
  { db, account, zotero: { open, secrets } }: Context,
  signal?: AbortSignal
): Promise<{ zotero: Zotero, userId: string }> {
  const row = await findZoteroAccount(db, account.id)
  if (row === undefined) {
    throw new NotFound('The account is not connected with Zotero. Connect it with PUT /api/zotero.', {
      userMessage: 'Your account is not connected with Zotero. Connect it first.'
    })
  }
  const apiKey = secrets.open(account.id, row.api_key)
  if (apiKey === undefined) throw keyUnreadable()
  return { zotero: open(apiKey, signal), userId: row.user_id }
}

/** Runs requests and translates Zotero's errors into errors of operations. */
export async function translateZoteroErrors<T> (run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof HttpError) throw new Unavailable(`Zotero sent no usable answer: ${cause.message}`, { cause })
    if (!(cause instanceof ZoteroError)) throw cause
    const { fault, message, retryAfter } = cause
    if (fault === 'key_rejected' || fault === 'forbidden') throw new Forbidden(message, { cause })
    if (fault === 'not_found') throw new InvalidArguments(message, { cause })
    if (fault === 'busy') throw new RateLimited(retryAfter ?? 60, message)
    throw new Unavailable(message, { cause })
  }
}

/** The key's permissions in a library. */
export function accessTo (library: string, { userId, user, allGroups, groups }: ZoteroKey): { read: boolean, write: boolean } {
  const [kind, id = ''] = library.split('/')
  if (kind === 'users') return id === userId ? user : { read: false, write: false }
  const own = groups.get(id)
  return { read: allGroups.read || own?.read === true, write: allGroups.write || own?.write === true }
}

/** Collections with the names of those that contain them, by name. */
export async function listCollections (zotero: Zotero, library: string): Promise<Array<{ key: string, name: string }>> {
  const all = await zotero.collections(library)
  const byKey = new Map(all.map(collection => [collection.key, collection]))
  const pathOf = ({ name, parent }: typeof all[number], depth = 0): string => {
    const outer = parent === undefined ? undefined : byKey.get(parent)
    return outer === undefined || depth > 10 ? name : `${pathOf(outer, depth + 1)} / ${name}`
  }
  return all.map(collection => ({ key: collection.key, name: pathOf(collection).slice(0, 500) }))
    .sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}

/** Message for a collection that was deleted in Zotero. */
export const missingCollection = (name: string): string => `The collection “${name}” no longer exists in Zotero. Choose another one.`
