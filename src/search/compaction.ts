import { mergeBlocks, mergeDocuments } from './segment-merge.js'
import { readBlocks, readHeads, SegmentReplaced } from './segment-reader.js'
import { encodeBlocks, encodeHead } from './segment-writer.js'
import type { Block } from './segment.js'
import type { IndexStorage, SegmentRow } from './storage.js'

interface CompactionOptions {
  /** Leaves segments alone that hold more documents than this together. Default: no limit. */
  maxDocuments?: number
  /** Leaves few segments; otherwise merges only where many of a size have gathered. Default: true. */
  isThorough?: boolean
}

/** With more tombstones than this, and than a tenth of all documents, the whole index is rewritten. */
const maxTombstones = 2000
const blockBatchSize = 64

/**
 * Merges small segments of a project, so that a search reads few. Searches read the old segments until the new one replaces them in one
 * transaction. One process compacts a project at a time; others return at once.
 */
export async function compact (storage: IndexStorage, projectId: string, { maxDocuments = Infinity, isThorough = true }: CompactionOptions = {}): Promise<void> {
  for (;;) {
    const { segments, tombstones } = await storage.listSegments(projectId)
    const chosen = chooseSegments(segments, tombstones.length, { maxDocuments, isThorough })
    if (chosen.length === 0) return
    const segmentId = await storage.reserveSegment(projectId)
    if (segmentId === undefined) return
    let isReplaced = false
    try {
      isReplaced = await mergeInto(storage, { projectId, segmentId, chosen, tombstones })
    } catch (error) {
      if (!(error instanceof SegmentReplaced)) throw error
    } finally {
      if (!isReplaced) await storage.discardSegment(segmentId)
    }
    // Another process has compacted the project, or somebody has deleted it.
    if (!isReplaced) return
  }
}

/** Compacts the index of every project. */
export async function compactAll (storage: IndexStorage): Promise<void> {
  for (const projectId of await storage.listIndexedProjects()) await compact(storage, projectId)
}

/**
 * The longest run of segments at the end of the list in which none is much larger than the rest together. So a document is rewritten a
 * few times in its life, however many there are.
 */
function chooseSegments (segments: readonly SegmentRow[], tombstones: number, { maxDocuments, isThorough }: Required<CompactionOptions>): SegmentRow[] {
  const total = segments.reduce((sum, { documents }) => sum + documents, 0)
  if (total <= maxDocuments && tombstones > Math.max(maxTombstones, total / 10)) return [...segments]
  const [minSegments, maxShare] = isThorough ? [2, 0.75] : [8, 0.25]
  let first = segments.length
  let sum = 0
  let largest = 0
  for (let from = segments.length - 1; from >= 0; from--) {
    const { documents } = segments[from]!
    sum += documents
    largest = Math.max(largest, documents)
    if (sum > maxDocuments) break
    if (segments.length - from >= minSegments && largest <= maxShare * sum) first = from
  }
  return segments.slice(first)
}

interface Merge { projectId: string, segmentId: string, chosen: readonly SegmentRow[], tombstones: readonly number[] }

/** Writes what the chosen segments become and swaps them for it. @returns false if one of them is gone @throws SegmentReplaced likewise */
async function mergeInto (storage: IndexStorage, { projectId, segmentId, chosen, tombstones }: Merge): Promise<boolean> {
  const heads = await readHeads(storage, chosen)
  const { documents, newOrdinals, words } = mergeDocuments(heads.map(({ documents }) => documents), new Set(tombstones))
  const directory: string[] = []
  let unwritten: Block[] = []
  const write = async () => {
    await storage.writeParts(segmentId, encodeBlocks(unwritten, directory.length - unwritten.length))
    unwritten = []
  }
  const sources = heads.map((head, index) => ({ newOrdinals: newOrdinals[index]!, blocks: readBlocks(storage, head, blockBatchSize) }))
  for await (const block of mergeBlocks(sources)) {
    directory.push(block.entries[0]!)
    unwritten.push(block)
    if (unwritten.length >= blockBatchSize) await write()
  }
  await write()
  await storage.writeParts(segmentId, encodeHead(directory, documents))
  return await storage.replaceSegments(projectId, {
    replacedIds: chosen.map(({ id }) => id),
    segmentId,
    totals: { firstNumber: heads[0]!.documents.numbers[0] ?? 0, documents: documents.count, words },
    tombstones: heads.flatMap(({ documents: { numbers } }, index) => [...numbers].filter((_number, docOrdinal) => newOrdinals[index]![docOrdinal] === -1))
  })
}
