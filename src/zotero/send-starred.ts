import type { Caller } from '../../db/caller.js'
import type { ZoteroSyncDetails } from '../../db/queries/zotero.js'
import {
  deleteZoteroItems,
  type KnownItem,
  listPapersToPlace,
  listPapersToSend,
  listUnlinkedZoteroItems,
  listZoteroItemsToSend,
  saveZoteroItems,
  walkStarred
} from '../../db/queries/zotero-items.js'
import type { ZoteroCollection } from '../../schemas/zotero.js'
import { zoteroItemOf } from '../papers/citations/zotero-item.js'
import { paperOf } from '../papers/records.js'
import { isSameIdentity, soughtIdentityKeys } from '../papers/records-in-feed.js'
import { createYielder } from '../threads/yielder.js'
import { maxItemsPerWrite, type Zotero } from './client.js'
import { ZoteroError } from './errors.js'
import { mintItemKey } from './item-keys.js'
import type { Json } from './responses.js'
import { requireSameSync } from './sync-state.js'

/** Papers that one sync sends; the next one continues. */
const maxSent = 500
/** How often an item is read again because it changed before it was written. */
const maxConflicts = 3

/** Starred papers among which one statement looks for those to send. */
const starredBatch = 500

type Starred = Awaited<ReturnType<typeof listPapersToPlace>>[number]

interface SendingContext extends Caller { signal?: AbortSignal | undefined }

/** A sync while it sends papers. */
interface Sending {
  context: SendingContext
  zotero: Zotero
  library: { projectId: string, library: string }
  sync: ZoteroSyncDetails
  target: ZoteroCollection
  /** Items that were stored or deleted here. */
  changes: number
  /** Items that Zotero has in the collection now. */
  sent: number
}

/**
 * Puts the starred papers of a project into a collection. A paper whose item the library has is added to the collection; others are
 * created under keys that are stored before, so that another attempt cannot create them twice.
 * @throws ZoteroError not_found if the collection was deleted; SyncOutdated
 */
export async function sendStarred (
  context: SendingContext,
  zotero: Zotero,
  sync: ZoteroSyncDetails,
  target: ZoteroCollection
): Promise<{ sent: number, more: boolean }> {
  const { db, account } = context
  const sending: Sending = {
    context, zotero, library: { projectId: sync.project_id, library: sync.library }, sync, target, changes: 0, sent: 0
  }
  // Those whose creation began in an earlier attempt come first: nobody knows whether Zotero has them.
  await repeat(sending, async () => { await createBegun(sending) })
  for await (const items of walkStarred(db, account.id, sync.project_id, starredBatch)) {
    const itemIds = items.map(({ id }) => id)
    await repeat(sending, async () => {
      if (!await createBegun(sending)) await placeSome(sending, itemIds)
    })
    if (sending.sent >= maxSent) break
  }
  return { sent: sending.sent, more: sending.sent >= maxSent }
}

/** Repeats a step until this sync has sent enough, or a step changes nothing: another would list the same papers. */
async function repeat (sending: Sending, step: () => Promise<void>): Promise<void> {
  const { context, sync } = sending
  for (let changes = -1; sending.changes !== changes && sending.sent < maxSent;) {
    changes = sending.changes
    context.signal?.throwIfAborted()
    await requireSameSync(context, sync)
    await step()
  }
}

/** Creates some of the items whose keys are stored. @returns whether there were any */
async function createBegun (sending: Sending): Promise<boolean> {
  const { context: { db, account }, library } = sending
  const begun = await listZoteroItemsToSend(db, account.id, library, maxItemsPerWrite)
  if (begun.length > 0) sending.sent += await create(sending, begun)
  return begun.length > 0
}

/** Brings the papers of some of these items into the collection, or stores keys for them. */
async function placeSome (sending: Sending, itemIds: readonly string[]): Promise<void> {
  const { context: { db, account }, library, target } = sending
  const starred = await listPapersToPlace(db, account.id, library, target.key, { itemIds, limit: maxItemsPerWrite })
  if (starred.length > 0) sending.sent += await place(sending, starred)
}

async function save (sending: Sending, items: readonly KnownItem[]): Promise<void> {
  const { context: { db, account }, library } = sending
  sending.changes += await saveZoteroItems(db, account.id, library, items)
}

async function forget (sending: Sending, items: readonly KnownItem[]): Promise<void> {
  const { context: { db, account }, library } = sending
  await deleteZoteroItems(db, account.id, library, items.map(({ item_key }) => item_key))
  sending.changes += items.length
}

/** Links papers whose item the collection has, adds existing items to it, and stores keys for the others. @returns items added */
async function place (sending: Sending, starred: readonly Starred[]): Promise<number> {
  const { context: { db, account }, library, target } = sending
  const identities = starred.map(row => soughtIdentityKeys(paperOf(row)))
  const unlinked = await listUnlinkedZoteroItems(db, account.id, library, identities.flat())
  const linked: KnownItem[] = []
  const placed: ExistingItem[] = []
  const created: KnownItem[] = []
  const yieldIfDue = createYielder()
  for (const [at, { id: paper_id, existing }] of starred.entries()) {
    await yieldIfDue()
    const same = unlinked.find(
      item => isSameIdentity(item.identities, identities[at]!) && linked.every(each => each.item_key !== item.item_key)
    )
    if (same !== undefined) linked.push({ ...same, paper_id, target: target.key, identities: [] })
    else if (existing !== null) placed.push({ ...existing, paper_id })
    else created.push({ item_key: mintItemKey(), paper_id, state: 'sending', target: target.key })
  }
  await save(sending, [...linked, ...created])
  return await addToCollection(sending, placed)
}

/** An item of a starred paper. */
interface ExistingItem { item_key: string, paper_id: string, state: 'imported' | 'known' | 'sent' }

/** Adds items to the collection, at the versions that they have. @returns how many it added */
async function addToCollection (sending: Sending, items: readonly ExistingItem[]): Promise<number> {
  const { zotero, library, target } = sending
  let added = 0
  let open = [...items]
  for (let attempt = 1; open.length > 0; attempt++) {
    const current = await zotero.itemsByKey(library.library, open.map(({ item_key }) => item_key))
    const found = new Map(current.map(item => [item.key, item]))
    const deletedItems = open.filter(({ item_key }) => isDeleted(found.get(item_key)?.data))
    await save(sending, deletedItems.map(item => ({ ...item, state: 'deleted', target: null })))
    open = open.filter(item => !deletedItems.includes(item))
    const changes = open.map(({ item_key }) => {
      const { version, data } = found.get(item_key)!
      const collections = Array.isArray(data.collections) ? data.collections : []
      return { key: item_key, version, collections: [...new Set([...collections, target.key])] }
    })
    if (changes.length === 0) break
    const { written, failed } = await zotero.write(library.library, changes)
    requireCollection(failed)
    requireAnswers(changes.length, written.length + failed.length)
    added += written.length
    await save(sending, written.map(at => ({ ...open[at]!, target: target.key })))
    const conflicts = failed.filter(({ code }) => code === 412).map(({ at }) => open[at]!)
    const refused = failed.filter(({ code }) => code !== 412).map(({ at }) => open[at]!)
    await save(sending, refused.map(item => ({ ...item, state: 'refused', target: null })))
    if (conflicts.length > 0 && attempt === maxConflicts) {
      throw new ZoteroError('conflict', 'Items changed in Zotero while they were synced.')
    }
    open = conflicts
  }
  return added
}

/** Deleted, or in the trash. */
const isDeleted = (data: Json | undefined) => data === undefined || data.deleted === 1 || data.deleted === true

/**
 * Creates items under their stored keys, in the collection of this sync: the project may have had another one when they were stored.
 * @returns their number
 */
async function create (sending: Sending, items: readonly KnownItem[]): Promise<number> {
  const { context: { db, account }, zotero, library, target } = sending
  const rows = await listPapersToSend(db, account.id, library.projectId, items.flatMap(({ paper_id }) => paper_id ?? []))
  const papers = new Map(rows.map(row => [row.id, paperOf(row)]))
  const sendable = items.filter(({ paper_id }) => paper_id !== null && papers.has(paper_id))
  await forget(sending, items.filter(item => !sendable.includes(item)))
  if (sendable.length === 0) return 0
  const { written, failed } = await zotero.write(
    library.library,
    sendable.map(({ item_key, paper_id }) =>
      ({ key: item_key, version: 0, ...zoteroItemOf(papers.get(paper_id!)!), collections: [target.key] })
    )
  )
  // An item that exists was created by an earlier attempt, in its collection.
  const existing = failed.filter(({ code }) => code === 412)
  await save(sending, [
    ...written.map(at => ({ ...sendable[at]!, state: 'sent' as const, target: target.key })),
    ...existing.map(({ at }) => ({ ...sendable[at]!, state: 'sent' as const }))
  ])
  await forget(sending, failed.filter(({ code }) => code === 409).map(({ at }) => sendable[at]!))
  const refused = failed.filter(({ code }) => code !== 409 && code !== 412).map(({ at }) => sendable[at]!)
  await save(sending, refused.map(item => ({ ...item, state: 'refused' as const })))
  requireCollection(failed)
  requireAnswers(sendable.length, written.length + failed.length)
  return written.length + existing.length
}

/** An item cannot enter a collection that does not exist. */
function requireCollection (failed: ReadonlyArray<{ code: number }>): void {
  if (failed.some(({ code }) => code === 409)) throw new ZoteroError('not_found', 'This collection no longer exists in Zotero.')
}

/** Otherwise the same items would be written again and again. */
function requireAnswers (sent: number, answered: number): void {
  if (answered < sent) throw new ZoteroError('unexpected', 'The response of Zotero omits some items.')
}
