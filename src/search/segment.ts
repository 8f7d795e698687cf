/*
 * A segment holds some documents of one project and their postings, and never changes once written. Documents are sorted by
 * number; postings refer to a document by its ordinal in the segment (docOrdinal). Entries, the terms of the index, are sorted as
 * JavaScript strings and grouped into blocks; a directory lists the first entry of each block. Tombstones are the numbers of
 * documents of earlier segments that changed or were deleted when this one was written. Stored numbers are little-endian.
 */

/** The documents of a segment, by docOrdinal. */
export interface Documents {
  count: number
  /** Identifies a document in its project, over all segments. */
  numbers: Uint32Array
  /** In words. */
  lengths: Uint16Array
  /** Milliseconds since 1970. */
  readyAt: Float64Array
  /** Item ids, 16 bytes each. */
  ids: Buffer
}

/** Entries in order, and their postings. */
export interface Block {
  entries: readonly string[]
  /** How many documents have each entry. */
  counts: Uint32Array
  /** Where each entry's postings begin, in bytes, and after them the end of the last. */
  starts: Uint32Array
  /** For each posting the distance from the docOrdinal before as a varint, then the byte of field counts (document.ts). */
  postings: Uint8Array
}

/** The part that holds the directory. Parts of blocks count from 0. */
export const directoryPart = -1
/** The part that holds the documents. */
export const documentsPart = -2
/** The part that holds tombstones, in a segment that has any: the lowest number, below all parts with names. */
export const tombstonesPart = -(2 ** 31)

const documentBytes = 4 + 2 + 8 + 16
const separator = '\n'

/** A UUID as 16 bytes. */
export const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** The item id of a document, as a UUID. */
export function idAt ({ ids }: Documents, docOrdinal: number): string {
  const hex = ids.toString('hex', docOrdinal * 16, docOrdinal * 16 + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Room for `count` documents, all zero. */
export function emptyDocuments (count: number): Documents {
  return {
    count,
    numbers: new Uint32Array(count),
    lengths: new Uint16Array(count),
    readyAt: new Float64Array(count),
    ids: Buffer.alloc(count * 16)
  }
}

const bytesOf = (array: Uint8Array | Uint16Array | Uint32Array | Float64Array) =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength)

/** The stored form of a segment's documents. */
export const encodeDocuments = ({ numbers, lengths, readyAt, ids }: Documents): Buffer =>
  Buffer.concat([readyAt, numbers, lengths, ids].map(bytesOf))

/** Reads what `encodeDocuments` wrote. */
export function decodeDocuments (bytes: Uint8Array): Documents {
  const count = bytes.length / documentBytes
  // Typed arrays need aligned bytes, which a copy has.
  const { buffer } = Uint8Array.from(bytes)
  return {
    count,
    readyAt: new Float64Array(buffer, 0, count),
    numbers: new Uint32Array(buffer, count * 8, count),
    lengths: new Uint16Array(buffer, count * 12, count),
    ids: Buffer.from(buffer, count * 14, count * 16)
  }
}

/** The stored form of tombstones. */
export const encodeTombstones = (numbers: readonly number[]): Buffer => bytesOf(Uint32Array.from(numbers).sort())
/** Reads what `encodeTombstones` wrote: numbers in rising order. */
export const decodeTombstones = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer)

/** The stored form of a directory, the first entry of each block. */
export const encodeDirectory = (firstEntries: readonly string[]): Buffer => Buffer.from(firstEntries.join(separator))
/** Reads what `encodeDirectory` wrote. */
export const decodeDirectory = (bytes: Uint8Array): string[] => bytes.length === 0 ? [] : Buffer.from(bytes).toString().split(separator)

/** The stored form of a block. */
export function encodeBlock ({ entries, counts, starts, postings }: Block): Buffer {
  const text = Buffer.from(entries.join(separator))
  return Buffer.concat([
    bytesOf(Uint32Array.of(entries.length)),
    bytesOf(counts),
    bytesOf(starts),
    bytesOf(Uint32Array.of(text.length)),
    text,
    bytesOf(postings)
  ])
}

/** Reads what `encodeBlock` wrote. */
export function decodeBlock (bytes: Uint8Array): Block {
  const own = Buffer.from(Uint8Array.from(bytes).buffer)
  const size = own.readUInt32LE(0)
  const textStart = 4 * (1 + size + size + 1)
  const postingsStart = textStart + 4 + own.readUInt32LE(textStart)
  return {
    entries: own.toString('utf8', textStart + 4, postingsStart).split(separator),
    counts: new Uint32Array(own.buffer, 4, size),
    starts: new Uint32Array(own.buffer, 4 * (1 + size), size + 1),
    postings: own.subarray(postingsStart)
  }
}

/** Visits the postings of one entry of a block: each document with its packed field counts. */
export function forEachPosting (
  { postings, starts }: Block,
  entryIndex: number,
  visit: (docOrdinal: number, counts: number) => void
): void {
  const end = starts[entryIndex + 1]!
  let docOrdinal = -1
  for (let byte = starts[entryIndex]!; byte < end;) {
    let distance = 0
    for (let shift = 0; ; shift += 7) {
      const part = postings[byte++]!
      distance |= (part & 127) << shift
      if (part < 128) break
    }
    docOrdinal += distance
    visit(docOrdinal, postings[byte++]!)
  }
}

/** The index of the first entry that is not before this one. */
export function lowerBound (entries: readonly string[], entry: string): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (entries[middle]! < entry) low = middle + 1
    else high = middle
  }
  return low
}

/** The blocks that may hold entries with a prefix: `from` up to but not including `to`. */
export function findBlocks (directory: readonly string[], prefix: string): { from: number, to: number } {
  let to = lowerBound(directory, prefix)
  // The block before may end with such entries.
  const from = Math.max(0, to - 1)
  while (to < directory.length && directory[to]!.startsWith(prefix)) to++
  return { from, to }
}

/** The block that may hold an entry: `from` up to but not including `to`. */
export function findBlock (directory: readonly string[], entry: string): { from: number, to: number } {
  const next = lowerBound(directory, entry)
  if (directory[next] === entry) return { from: next, to: next + 1 }
  return { from: Math.max(0, next - 1), to: next }
}
