import type { PartKey, SegmentRow } from '../../schemas/search-index.js'
import type { LoadedSegment } from './corpus.js'
import { type Part } from './segment-cache.js'
import { type Block, directoryPart, type Documents, documentsPart, findBlock, findBlocks, tombstonesPart } from './segment.js'

/** Compaction replaced a segment while it was being read: the caller starts again from the list of segments. */
export class SegmentReplaced extends Error {}

/** Result of a lookup: the segments that a search needs, with their tombstones, or the parts to read first. */
export type Loaded = { segments: LoadedSegment[], tombstones: readonly Uint32Array[] } | { missing: PartKey[] }

/** Entries that a search looks at: those with one of the prefixes, and these words. */
export interface EntryLookup { prefixes?: readonly string[], words: readonly string[] }

/** Loads the parts that a search needs. @param partOf the parts that are in memory */
export function loadSegments (
  segments: readonly SegmentRow[],
  { prefixes = [], words }: EntryLookup,
  partOf: (segmentId: string, part: number) => Part | undefined
): Loaded {
  const missing: PartKey[] = []
  const load = (segmentId: string, part: number) => {
    const found = partOf(segmentId, part)
    if (found === undefined) missing.push({ segmentId, part })
    return found
  }
  const tombstones = segments.filter(({ tombstones }) => tombstones > 0).map(({ id }) => load(id, tombstonesPart) as Uint32Array)
  const heads = segments.map(({ id, words }) => ({
    id,
    words,
    directory: load(id, directoryPart) as string[],
    documents: load(id, documentsPart) as Documents
  }))
  if (missing.length > 0) return { missing }
  const blocks = new Map<string, Block>()
  for (const { id, directory } of heads) {
    for (const { from, to } of [
      ...prefixes.map(prefix => findBlocks(directory, prefix)),
      ...words.map(word => findBlock(directory, word))
    ]) {
      for (let part = from; part < to; part++) {
        const key = `${id} ${part}`
        if (!blocks.has(key)) blocks.set(key, load(id, part) as Block)
      }
    }
  }
  if (missing.length > 0) return { missing }
  return {
    tombstones,
    segments: heads.map(({ id, words, directory, documents }) => ({
      documents,
      words,
      blocks (prefix, isWholeWord) {
        const { from, to } = isWholeWord ? findBlock(directory, prefix) : findBlocks(directory, prefix)
        return Array.from({ length: to - from }, (_each, index) => blocks.get(`${id} ${from + index}`)!)
      }
    }))
  }
}
