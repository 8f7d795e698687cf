import pLimit from 'p-limit'
import type { PartKey, SegmentRow } from '../../schemas/search-index.js'
import type { Log } from '../observability/log.js'
import { mergeNamesOffThread, mergeRangeOffThread, planMergeOffThread } from './indexer.js'
import { namesPartsOf } from './names.js'
import { SegmentReplaced } from './segment-reader.js'
import { directoryPart, documentsPart, encodeDirectory, tombstonesPart } from './segment.js'
import type { IndexStorage } from './storage.js'

interface CompactionOptions {
  /** Leaves segments alone that hold more documents than this together. Default: no limit. */
  maxDocuments?: number
  /** Leaves few segments and tombstones; otherwise rewrites only what has gathered in large numbers. Default: true. */
  isThorough?: boolean
}

/** Tombstones that searches always skip; with more of them, a share of all documents decides whether the whole index is rewritten. */
const maxTombstones = 2000

/**
 * Merges small segments of a project, so that a search reads few. Searches read the old segments until the new one replaces them in one
 * transaction. One process compacts a project at a time; others return at once.
 */
export async function compact (storage: IndexStorage, projectId: string, options?: CompactionOptions): Promise<void> {
  await endCompaction(projectId)
  await mergeSegments(storage, projectId, options)
}

/** Background compactions that run at once: each holds a few thousand documents, and a search of many projects starts one for each. */
const inTurn = pLimit(2)

/** Background compactions, by project. They never fail. */
const started = new Map<string, Promise<void>>()

/** Merges segments of an index while searches go on. They do without that: after a failure, maintenance tries again and logs its own. */
export function startCompaction (storage: IndexStorage, projectId: string, options: CompactionOptions): void {
  if (started.has(projectId)) return
  const ended = inTurn(async () => await mergeSegments(storage, projectId, options))
    .catch(() => {}).finally(() => { started.delete(projectId) })
  started.set(projectId, ended)
}

/** Waits for the compaction that was started for a project. */
export const endCompaction = async (projectId: string): Promise<void> => await started.get(projectId)

/** Waits for all compactions that were started, before their database is closed. */
export async function endCompactions (): Promise<void> {
  await Promise.all(started.values())
}

async function mergeSegments (
  storage: IndexStorage,
  projectId: string,
  { maxDocuments = Infinity, isThorough = true }: CompactionOptions = {}
): Promise<void> {
  for (;;) {
    const segments = await storage.listSegments(projectId)
    const chosen = chooseSegments(segments, { maxDocuments, isThorough })
    if (chosen.length === 0) return
    const segmentId = await storage.reserveSegment(projectId)
    if (segmentId === undefined) return
    let isReplaced = false
    try {
      isReplaced = await mergeInto(storage, { projectId, segmentId, chosen, isWhole: chosen.length === segments.length })
    } catch (error) {
      if (!(error instanceof SegmentReplaced)) throw error
    } finally {
      if (!isReplaced) await storage.discardSegment(segmentId)
    }
    // Another process has compacted the project, or somebody has deleted it.
    if (!isReplaced) return
  }
}

/** Merges segments of an index. Searches do without that, and maintenance does it later: a failure is logged. */
export async function tryToCompact (
  { log }: { log: Log },
  storage: IndexStorage,
  projectId: string,
  options?: CompactionOptions
): Promise<void> {
  try {
    await compact(storage, projectId, options)
  } catch (error) {
    log.warn({ err: error, project_id: projectId }, 'A search index was not compacted; maintenance tries again.')
  }
}

/**
 * The longest run of segments at the end of the list in which none is much larger than the rest together. So a document is rewritten a
 * few times in its life, however many there are.
 */
function chooseSegments (segments: readonly SegmentRow[], { maxDocuments, isThorough }: Required<CompactionOptions>): SegmentRow[] {
  const total = segments.reduce((sum, { documents }) => sum + documents, 0)
  const tombstones = segments.reduce((sum, { tombstones }) => sum + tombstones, 0)
  const [minSegments, maxShare, maxTombstoneShare] = isThorough ? [2, 0.75, 0.1] : [8, 0.25, 0.5]
  if (total <= maxDocuments && tombstones > Math.max(maxTombstones, maxTombstoneShare * total)) return [...segments]
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

interface Merge { projectId: string, segmentId: string, chosen: readonly SegmentRow[], isWhole: boolean }

/** Writes what the chosen segments become and swaps them for it. @returns false if one no longer exists @throws SegmentReplaced likewise */
async function mergeInto (storage: IndexStorage, { projectId, segmentId, chosen, isWhole }: Merge): Promise<boolean> {
  const documents = await readParts(storage, chosen.map(({ id }) => ({ segmentId: id, part: documentsPart })))
  const directories = await readParts(storage, chosen.map(({ id }) => ({ segmentId: id, part: directoryPart })))
  const tombstones = await readParts(
    storage, chosen.filter(({ tombstones }) => tombstones > 0).map(({ id }) => ({ segmentId: id, part: tombstonesPart })))
  const plan = await planMergeOffThread({ documents, directories, tombstones, isWhole })
  const firstEntries: string[] = []
  for (const { blocks: ranges, from, to } of plan.ranges) {
    const blocks: Uint8Array[][] = []
    for (const [index, { id }] of chosen.entries()) {
      const { from, to } = ranges[index]!
      blocks.push(await readParts(storage, Array.from({ length: to - from }, (_each, at) => ({ segmentId: id, part: from + at }))))
    }
    const merged = await mergeRangeOffThread({ from, to, blocks, newOrdinals: plan.newOrdinals })
    await storage.writeParts(segmentId, merged.blocks.map((bytes, at) => ({ part: firstEntries.length + at, bytes })))
    firstEntries.push(...merged.firstEntries)
  }
  await storage.writeParts(segmentId, [
    { part: directoryPart, bytes: encodeDirectory(firstEntries) },
    { part: documentsPart, bytes: plan.documents },
    ...plan.tombstones
  ])
  const names = await mergeNames(storage, chosen, tombstones)
  if (names !== undefined) for (const part of names) await storage.writeParts(segmentId, [part])
  return await storage.replaceSegments(projectId, {
    replacedIds: chosen.map(({ id }) => id),
    segmentId,
    totals: { ...plan.totals, nameParts: names?.length ?? null }
  })
}

/** The names of the merged segments; undefined if they are too large. @throws SegmentReplaced */
async function mergeNames (storage: IndexStorage, segments: readonly SegmentRow[], tombstones: readonly Uint8Array[]) {
  const keys = namesPartsOf(segments)
  if (keys === undefined) return undefined
  const names: Uint8Array[] = []
  for (const key of keys) names.push(...await readParts(storage, [key]))
  return await mergeNamesOffThread({ names, tombstones })
}

/** Reads parts in the order of their keys. @throws SegmentReplaced */
async function readParts (storage: IndexStorage, keys: readonly PartKey[]): Promise<Uint8Array[]> {
  if (keys.length === 0) return []
  const read = new Map((await storage.readParts(keys)).map(({ segmentId, part, bytes }) => [`${segmentId} ${part}`, bytes]))
  return keys.map(({ segmentId, part }) => {
    const bytes = read.get(`${segmentId} ${part}`)
    if (bytes === undefined) throw new SegmentReplaced()
    return bytes
  })
}
