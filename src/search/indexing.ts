import { compact, endCompaction, startCompaction } from './compaction.js'
import { buildOffThread } from './indexer.js'
import type { IndexStorage } from './storage.js'

/** Changes of one batch, and plain characters that take as long as their items: about a second. */
const batchLimit = { changes: 500, characters: 1_500_000 }
/** Segments with more documents than this are compacted by maintenance alone. */
const backgroundCompaction = { maxDocuments: 4000, isThorough: false }

/** The last call for each project. The calls of a process follow each other, so that none builds what another one is about to store. */
const lastCalls = new Map<string, Promise<void>>()

/** Indexes every change of a project that was committed before the call. Several processes may call this at once. */
export async function indexPending (storage: IndexStorage, projectId: string): Promise<void> {
  const call = indexAfter(lastCalls.get(projectId), storage, projectId)
  lastCalls.set(projectId, call)
  try {
    await call
  } finally {
    if (lastCalls.get(projectId) === call) lastCalls.delete(projectId)
  }
}

async function indexAfter (earlier: Promise<void> | undefined, storage: IndexStorage, projectId: string): Promise<void> {
  await earlier?.catch(() => {})
  for (;;) {
    const { hasMore, settled } = await indexBatch(storage, projectId)
    // A search that waits for its changes needs no merge. Between batches, one keeps their segments few.
    if (settled > 0) startCompaction(storage, projectId, backgroundCompaction)
    // Changes that are not settled are read again by the next call; if nothing else is read, waiting for them would take time.
    if (!hasMore || settled === 0) return
    await endCompaction(projectId)
  }
}

/** Indexes every change of every project, and compacts what was indexed. */
export async function indexAllPending (storage: IndexStorage): Promise<void> {
  for (const projectId of await storage.listPendingProjects()) {
    await indexPending(storage, projectId)
    await compact(storage, projectId)
  }
}

/**
 * Builds a segment of the next changes while no transaction is open, and stores it. What another process has changed meanwhile is built
 * again. @returns whether more may follow, and how many changes are settled: others are of papers that an open transaction changes
 */
async function indexBatch (storage: IndexStorage, projectId: string): Promise<{ hasMore: boolean, settled: number }> {
  for (;;) {
    const pending = await storage.readPending(projectId, batchLimit)
    const { changes, documents, formerNumbers, hasMore } = pending
    if (changes.length === 0) return { hasMore, settled: 0 }
    const segment = documents.length + formerNumbers.length === 0 ? undefined : await buildOffThread(documents, formerNumbers)
    const uncommitted = new Set(pending.uncommittedItemIds)
    const settledIds = changes.filter(({ itemId }) => !uncommitted.has(itemId)).map(({ id }) => id)
    if (await storage.storeBatch(projectId, { pending, segment, settledIds })) return { hasMore, settled: settledIds.length }
  }
}
