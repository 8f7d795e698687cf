import { compact } from './compaction.js'
import { buildOffThread } from './indexer.js'
import type { IndexStorage, IndexTransaction } from './storage.js'

/**
 * Changes of one transaction, and plain characters that take as long as their items, about a second; the embedded database serves nobody
 * else meanwhile.
 */
const batchLimit = { changes: 500, characters: 1_500_000 }
/** Segments with more documents than this are compacted by maintenance, not while others wait. */
const maxInlineCompaction = 4000

/**
 * Indexes every change of a project that was committed before the call. Several processes may call this at once: for each project one
 * works and the others wait.
 */
export async function indexPending (storage: IndexStorage, projectId: string): Promise<void> {
  for (;;) {
    const { hasMore, settled } = await storage.changeIndex(projectId, indexBatch)
    if (settled > 0) await compact(storage, projectId, { maxDocuments: maxInlineCompaction, isThorough: false })
    // Changes that are not settled are read again by the next call; if nothing else is read, waiting for them would take time.
    if (!hasMore || settled === 0) return
  }
}

/** Indexes every change of every project, and compacts what was indexed. */
export async function indexAllPending (storage: IndexStorage): Promise<void> {
  for (const projectId of await storage.listPendingProjects()) {
    await indexPending(storage, projectId)
    await compact(storage, projectId)
  }
}

/** @returns whether more may follow, and how many changes are settled: others are of papers that an open transaction changes */
async function indexBatch (index: IndexTransaction): Promise<{ hasMore: boolean, settled: number }> {
  const { changes, hasMore, documents, uncommittedItemIds } = await index.readPending(batchLimit)
  if (changes.length === 0) return { hasMore, settled: 0 }
  const numbered = await index.renumber([...new Set(changes.map(({ itemId }) => itemId))], documents.map(({ itemId }) => itemId))
  if (documents.length > 0) {
    const numbers = new Map(numbered.map(({ itemId, number }) => [itemId, number]))
    const { totals, parts } = await buildOffThread(documents.map(document => ({ ...document, number: numbers.get(document.itemId)! })))
    await index.addSegment(totals, parts)
  }
  const uncommitted = new Set(uncommittedItemIds)
  const settled = changes.filter(({ itemId }) => !uncommitted.has(itemId))
  await index.deletePending(settled.map(({ id }) => id))
  return { hasMore, settled: settled.length }
}
