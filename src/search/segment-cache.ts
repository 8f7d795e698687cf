import { LRUCache } from 'lru-cache'
import { cacheBytes, threadCacheBytes } from './cache-memory.js'
import { decodeNames, isNamesPart } from './names.js'
import {
  type Block, decodeBlock, decodeDirectory, decodeDocuments, decodeTombstones, directoryPart, type Documents, documentsPart, tombstonesPart
} from './segment.js'

const limits = { min: 128, max: 512, share: 1 / 32 }
const maxBytes = threadCacheBytes(limits)
/** The limit of the cache in the thread that ranks, in bytes. */
export const partCacheLimit = cacheBytes(limits)
/** Memory that a string takes beside its characters. */
const entryBytes = 40
const postingsBytes = 8
const documentBytes = 30
const partBytes = 200

/** A decoded part: a directory, the documents, tombstones, names, or a block of postings. */
export type Part = string[] | Documents | Uint32Array | string | Block

const sizeOf = (part: Part): number => {
  if (typeof part === 'string') return partBytes + 2 * part.length
  if (part instanceof Uint32Array) return partBytes + part.byteLength
  if ('numbers' in part) return partBytes + part.count * documentBytes
  if ('postings' in part) return partBytes + part.postings.length + part.entries.length * (entryBytes + postingsBytes)
  return partBytes + part.length * entryBytes
}

/**
 * Parts that searches read lately, for all databases of the process. A segment never changes and its id is never used again, so nothing
 * here is ever stale.
 */
const parts = new LRUCache<string, Part>({ maxSize: maxBytes, sizeCalculation: sizeOf })

const keyOf = (segmentId: string, part: number) => `${segmentId} ${part}`

/** Decodes a part and caches it. */
export function cachePart (segmentId: string, part: number, bytes: Uint8Array): Part {
  const decoded = decode(part, bytes)
  parts.set(keyOf(segmentId, part), decoded)
  return decoded
}

function decode (part: number, bytes: Uint8Array): Part {
  if (part === directoryPart) return decodeDirectory(bytes)
  if (part === documentsPart) return decodeDocuments(bytes)
  if (part === tombstonesPart) return decodeTombstones(bytes)
  return isNamesPart(part) ? decodeNames(bytes) : decodeBlock(bytes)
}

/** A part from the cache; undefined if it has to be read. */
export const cachedPart = (segmentId: string, part: number): Part | undefined => parts.get(keyOf(segmentId, part))

/** The segments that each project had when it was last searched. */
const lastSegments = new LRUCache<string, readonly string[]>({ max: 10_000 })

/** Evicts the parts of segments that compaction has replaced since the project's last search. */
export function evictReplaced (projectId: string, segmentIds: readonly string[]): void {
  const live = new Set(segmentIds)
  const replaced = new Set(lastSegments.get(projectId)?.filter(id => !live.has(id)))
  lastSegments.set(projectId, segmentIds)
  if (replaced.size === 0) return
  for (const key of parts.keys()) if (replaced.has(key.slice(0, key.indexOf(' ')))) parts.delete(key)
}
