import { saveZoteroPosition, updateZoteroSync, type ZoteroSyncDetails } from '../../db/queries/zotero.js'
import { scheduleScoring } from '../../db/queries/relevance.js'
import {
  countZoteroItems, findZoteroItems, type KnownItem, markZoteroItemsDeleted, saveZoteroItems
} from '../../db/queries/zotero-items.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { maxZoteroItems, type ZoteroCollection } from '../../schemas/zotero.js'
import { QuotaExceeded } from '../errors/operation-errors.js'
import { formatQuantity } from '../input/validator.js'
import { ingestImported } from '../papers/ingest-imported.js'
import { limitRecord } from '../papers/record-limits.js'
import { findRecordsInFeed, identityKeysOf } from '../papers/records-in-feed.js'
import { wellFormed } from '../papers/well-formed.js'
import { learningDueAt } from '../relevance/learned-model.js'
import { openProjectScoring } from '../relevance/project-scoring.js'
import type { RelevanceWorker } from '../relevance/worker.js'
import { isPublication, readZoteroItem } from '../sources/formats/zotero-item.js'
import type { Zotero } from '../zotero/client.js'
import { createYielder } from '../threads/yielder.js'
import { ZoteroError } from '../zotero/errors.js'
import { missingCollection } from '../zotero/collections.js'
import type { ItemsPage } from '../zotero/responses.js'
import { requireSameSync } from '../zotero/sync-state.js'
import { finishImport, type FinishContext } from './finish-import.js'

interface CollectionsContext extends FinishContext { maxPapers: number, relevance: RelevanceWorker, signal?: AbortSignal | undefined }

/** Items that one sync adds, and pages that it reads; the next one continues. */
const maxItems = 1000
const maxPages = 100
/** How often a listing begins again because the library changed. */
const maxRestarts = 3

/** Counts of one import of a project's collections. */
export interface ImportedCollections {
  /** Papers that entered the feed. */
  added: number
  more: boolean
  /** For people. */
  problems: string[]
  /** Keys of collections that were deleted. */
  missing: ReadonlySet<string>
}

/** A sync while it reads collections. */
interface CollectionSync {
  context: CollectionsContext
  zotero: Zotero
  sync: ZoteroSyncDetails
  /** Items that the project knows. */
  known: number
  items: number
  pages: number
  added: number
}

/**
 * Reads changes in the project's collections since the last sync. Items of its collections enter the feed; items of the target are only
 * recorded, which prevents sending them again.
 * @throws ZoteroError, HttpError, SyncOutdated
 */
export async function importCollections (
  context: CollectionsContext,
  zotero: Zotero,
  sync: ZoteroSyncDetails
): Promise<ImportedCollections> {
  const { account, db } = context
  const known = await countZoteroItems(db, account.id, { projectId: sync.project_id, library: sync.library })
  const run: CollectionSync = { context, zotero, sync, known, items: 0, pages: 0, added: 0 }
  const problems: string[] = []
  const missing = new Set<string>()
  const targetOnly = sync.target !== null && sync.collections.every(({ key }) => key !== sync.target!.key) ? [sync.target] : []
  let more = false
  let version: number | undefined
  try {
    for (const collection of [...sync.collections, ...targetOnly]) {
      try {
        const read = await readCollection(run, collection, { enters: !targetOnly.includes(collection) })
        more ||= read.more
        version = Math.max(version ?? 0, read.version)
      } catch (error) {
        // The next sync reads the page again. Starred papers are sent meanwhile.
        if (error instanceof QuotaExceeded) {
          if (!problems.includes(error.userMessage)) problems.push(error.userMessage)
          continue
        }
        if (!(error instanceof ZoteroError) || error.fault !== 'not_found') throw error
        missing.add(collection.key)
        problems.push(missingCollection(collection.name))
      }
    }
    if (version !== undefined && !more) await noteDeleted(run, version)
  } finally {
    if (run.added > 0) await finishImport(context, sync.project_id, run.added)
  }
  return { added: run.added, more, problems, missing }
}

/** Reads the changes of a collection page by page, and notes after each how far it is. */
async function readCollection (
  run: CollectionSync,
  collection: ZoteroCollection,
  { enters }: { enters: boolean }
): Promise<{ more: boolean, version: number }> {
  const { context, zotero, sync } = run
  const { db, account, signal } = context
  const { project_id, library, positions } = sync
  const { version: since, listing } = positions[collection.key] ?? { version: 0, listing: null }
  const save = async (position: { version: number, listing: typeof listing }) =>
    await saveZoteroPosition(db, account.id, project_id, collection.key, position)
  let start = listing?.start ?? 0
  let listed = listing?.version
  for (let restarts = 0; ;) {
    signal?.throwIfAborted()
    if (run.items >= maxItems || run.pages >= maxPages) return { more: true, version: since }
    const page = await zotero.items(library, collection.key, { since, start })
    run.pages++
    // A request with its pauses can take minutes.
    await requireSameSync(context, sync)
    if (page === undefined) return { more: false, version: since }
    if (start > 0 && listed !== page.version && restarts < maxRestarts) {
      // A removed item moves later ones to pages that were already read. Starting over skips known items.
      restarts++
      start = 0
      listed = undefined
      continue
    }
    listed ??= page.version
    await takePage(run, collection, page.items, { enters })
    start += page.items.length
    if (page.items.length === 0 || start >= page.total) {
      // Items changed since the listing began have a later version.
      await save({ version: listed, listing: null })
      return { more: false, version: listed }
    }
    await save({ version: since, listing: { version: listed, start } })
  }
}

/** Adds the items of a page that the project does not know to its feed, or notes them. */
async function takePage (
  run: CollectionSync,
  collection: ZoteroCollection,
  items: ItemsPage['items'],
  { enters }: { enters: boolean }
): Promise<void> {
  const { context, sync } = run
  const { db, account, now } = context
  const library = { projectId: sync.project_id, library: sync.library }
  const target = collection.key === sync.target?.key ? collection.key : null
  const stored = new Map((await findZoteroItems(db, account.id, library, items.map(({ key }) => key))).map(item => [item.item_key, item]))
  const saved: KnownItem[] = []
  const added: Array<{ key: string, record: PaperRecord }> = []
  const yieldIfDue = createYielder()
  for (const { key, data } of items) {
    await yieldIfDue()
    if (!isPublication(data)) continue
    const known = stored.get(key)
    if (known !== undefined && !(enters && known.state === 'known')) {
      // An item of its own that is in the target collection now.
      if (target !== null && known.target !== target) saved.push({ ...known, target })
      continue
    }
    const read = readZoteroItem(data)
    if ('reason' in read) continue
    added.push({ key, record: wellFormed(limitRecord(read.record)) })
  }
  const news = added.filter(({ key }) => !stored.has(key)).length
  if (news > 0 && run.known + news > maxZoteroItems) throw tooManyItems()
  const records = added.map(({ record }) => record)
  if (enters && records.length > 0) {
    const time = now()
    const addedBefore = run.added
    await ingestImported(context, {
      projectId: sync.project_id,
      openScoring: async () => await openProjectScoring(context, sync.project_id),
      records: records.map((record, at) => ({ place: at + 1, record })),
      values: { own_library: true, ...(sync.learn ? { vote: 'upvote', voted_at: time, seen_at: time } : {}) },
      onStored: async (transaction, { created }) => {
        // With the votes, which no later step may follow.
        if (sync.learn && created > 0) await scheduleScoring(transaction, account.id, sync.project_id, learningDueAt(now()))
        run.added = addedBefore + created
      }
    })
    run.items += records.length
  }
  const papers = await findRecordsInFeed(db, { id: sync.project_id, account_id: account.id }, records)
  for (const [at, { key, record }] of added.entries()) {
    const paper_id = papers[at] ?? null
    saved.push({
      item_key: key,
      paper_id,
      state: enters ? 'imported' : 'known',
      target,
      identities: paper_id === null ? identityKeysOf(record) : []
    })
  }
  await saveZoteroItems(db, account.id, library, saved)
  run.known += news
}

function tooManyItems (): QuotaExceeded {
  const message = `This project can sync at most ${formatQuantity(maxZoteroItems, 'item')} of Zotero, deleted ones included; this would ` +
    'exceed the limit. Choose smaller collections for another project, or stop syncing and start again to forget deleted items.'
  return new QuotaExceeded(message, { userMessage: message })
}

/** Notes which items were deleted in Zotero since the last sync: their papers stay in the feed, and are not sent again. */
async function noteDeleted ({ context, zotero, sync }: CollectionSync, version: number): Promise<void> {
  const { db, account } = context
  const { project_id, library, deleted_version: since } = sync
  if (since === version) return
  if (since !== null) {
    const { keys } = await zotero.deletedItems(library, since)
    await requireSameSync(context, sync)
    await markZoteroItemsDeleted(db, account.id, { projectId: project_id, library }, keys)
  }
  await updateZoteroSync(db, account.id, project_id, { deleted_version: version })
}
