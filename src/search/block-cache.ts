import { LRUCache } from 'lru-cache'
import { type Block, decodeBlock, decodeDirectory, decodeDocuments, type Documents } from './segment.js'

/** What a row of `search_block` holds, by its part: the directory and the documents below the postings. */
export const directoryPart = -1
export const documentsPart = -2

/** Of all that searches have read, the latest is kept up to this many bytes. */
const mostBytes = 128 * 1024 * 1024
/** What a text costs beyond its letters. */
const bytesOfEntry = 40

type Part = string[] | Documents | Block

/**
 * Parts of segments as they were read, for all databases of the process: a segment never changes, and its id is never another's, so
 * that nothing here can be out of date.
 */
const parts = new LRUCache<string, Part>({
  maxSize: mostBytes,
  sizeCalculation: part => 200 + ('numbers' in part ? part.count * 30 : 'postings' in part ? part.postings.length + part.entries.length * (bytesOfEntry + 8) : part.length * bytesOfEntry)
})

const keyOf = (segmentId: string, part: number) => `${segmentId} ${part}`

export const keep = (segmentId: string, part: number, bytes: Uint8Array): Part => {
  const read = part === directoryPart ? decodeDirectory(bytes) : part === documentsPart ? decodeDocuments(bytes) : decodeBlock(bytes)
  parts.set(keyOf(segmentId, part), read)
  return read
}

export const kept = (segmentId: string, part: number): Part | undefined => parts.get(keyOf(segmentId, part))

/** The segments that a project had when it was last searched. */
const segmentsOf = new LRUCache<string, readonly string[]>({ max: 10_000 })

/** Lets go of what was read of segments that went into others since the project's last search. */
export function keepOnly (projectId: string, segmentIds: readonly string[]): void {
  const live = new Set(segmentIds)
  const gone = new Set(segmentsOf.get(projectId)?.filter(id => !live.has(id)))
  segmentsOf.set(projectId, segmentIds)
  if (gone.size === 0) return
  for (const key of parts.keys()) if (gone.has(key.slice(0, key.indexOf(' ')))) parts.delete(key)
}
