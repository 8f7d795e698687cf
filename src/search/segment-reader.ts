import type { LoadedSegment } from './ranking.js'
import { cachedPart, cachePart, type Part } from './segment-cache.js'
import { type Block, decodeBlock, directoryPart, type Documents, documentsPart, findBlocks } from './segment.js'
import type { IndexStorage, PartKey, SegmentRow } from './storage.js'

type PartStorage = Pick<IndexStorage, 'readParts'>

/** Compaction replaced a segment while it was being read: the caller starts again from the list of segments. */
export class SegmentReplaced extends Error {}

/** A segment without its blocks. */
export interface SegmentHead {
  id: string
  words: number
  /** The first entry of each block. */
  directory: string[]
  documents: Documents
}

const keyOf = ({ segmentId, part }: PartKey) => `${segmentId} ${part}`

/** Reads parts in the order of their keys, from the cache where possible. */
async function readCached (storage: PartStorage, keys: readonly PartKey[]): Promise<Part[]> {
  const parts = keys.map(({ segmentId, part }) => cachedPart(segmentId, part))
  const missing = keys.filter((_key, index) => parts[index] === undefined)
  if (missing.length > 0) {
    const read = new Map((await storage.readParts(missing)).map(row => [keyOf(row), cachePart(row.segmentId, row.part, row.bytes)]))
    for (const [index, key] of keys.entries()) parts[index] ??= read.get(keyOf(key))
  }
  return parts.map(part => {
    if (part === undefined) throw new SegmentReplaced()
    return part
  })
}

/** Reads the directories and documents of segments. @throws SegmentReplaced */
export async function readHeads (storage: PartStorage, segments: ReadonlyArray<Pick<SegmentRow, 'id' | 'words'>>): Promise<SegmentHead[]> {
  const parts = await readCached(storage, segments.flatMap(({ id }) => [{ segmentId: id, part: directoryPart }, { segmentId: id, part: documentsPart }]))
  return segments.map(({ id, words }, index) => ({ id, words, directory: parts[index * 2] as string[], documents: parts[index * 2 + 1] as Documents }))
}

/** Reads whatever a search for entries with these prefixes looks at. @throws SegmentReplaced */
export async function loadSegments (storage: PartStorage, segments: readonly SegmentRow[], prefixes: readonly string[]): Promise<LoadedSegment[]> {
  const heads = await readHeads(storage, segments)
  const keys = new Map<string, PartKey>()
  for (const { id, directory } of heads) {
    for (const prefix of prefixes) {
      const { from, to } = findBlocks(directory, prefix)
      for (let part = from; part < to; part++) keys.set(`${id} ${part}`, { segmentId: id, part })
    }
  }
  const read = await readCached(storage, [...keys.values()])
  const blocks = new Map([...keys.keys()].map((key, index) => [key, read[index] as Block]))
  return heads.map(({ id, words, directory, documents }) => ({
    documents,
    words,
    blocks (prefix) {
      const { from, to } = findBlocks(directory, prefix)
      return Array.from({ length: to - from }, (_each, index) => blocks.get(`${id} ${from + index}`)!)
    }
  }))
}

/** Reads the blocks of a segment in order, past the cache. @param blocksAtOnce blocks in memory at a time @throws SegmentReplaced */
export async function * readBlocks (storage: PartStorage, { id, directory }: SegmentHead, blocksAtOnce: number): AsyncIterable<Block> {
  for (let from = 0; from < directory.length; from += blocksAtOnce) {
    const keys = Array.from({ length: Math.min(blocksAtOnce, directory.length - from) }, (_each, index) => ({ segmentId: id, part: from + index }))
    const rows = await storage.readParts(keys)
    if (rows.length < keys.length) throw new SegmentReplaced()
    for (const { bytes } of rows.sort((one, other) => one.part - other.part)) yield decodeBlock(bytes)
  }
}
