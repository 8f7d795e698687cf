import type { Caller } from '../../db/caller.js'
import { isSameZoteroSync, type ZoteroSyncDetails } from '../../db/queries/zotero.js'

/** A sync was stopped, or its settings changed, while it ran. The next sync follows the new settings. */
export class SyncOutdated extends Error {}

/** @throws SyncOutdated */
export async function requireSameSync (
  { db, account }: Caller,
  sync: ZoteroSyncDetails
): Promise<void> {
  if (!await isSameZoteroSync(db, account.id, sync)) throw new SyncOutdated('The sync was stopped or reconfigured while it was running.')
}
