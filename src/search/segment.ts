/*
 * A segment: some documents of one project, and what finds them. It never changes once it is written.
 * Documents stand in rising order of their numbers; postings name them by their place. Entries stand in the order of JavaScript's
 * strings, in blocks, and a directory has the first entry of each block. Numbers are little-endian, as typed arrays are everywhere.
 */

export interface Documents {
  count: number
  /** What a document is called by in its project, over all segments. */
  numbers: Uint32Array
  lengths: Uint16Array
  /** Milliseconds. */
  readyAt: Float64Array
  /** Item ids, 16 bytes each. */
  ids: Buffer
}

export interface Block {
  entries: readonly string[]
  /** How many documents have each entry. */
  counts: Uint32Array
  /** Where each entry's postings begin, and the last ones end. */
  starts: Uint32Array
  postings: Uint8Array
}

const bytesOfDocument = 4 + 2 + 8 + 16
const separator = '\n'

export const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

export function idAt ({ ids }: Documents, place: number): string {
  const hex = ids.toString('hex', place * 16, place * 16 + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function emptyDocuments (count: number): Documents {
  return { count, numbers: new Uint32Array(count), lengths: new Uint16Array(count), readyAt: new Float64Array(count), ids: Buffer.alloc(count * 16) }
}

const bytesOf = (array: Uint8Array | Uint16Array | Uint32Array | Float64Array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength)

export const encodeDocuments = ({ numbers, lengths, readyAt, ids }: Documents): Buffer =>
  Buffer.concat([readyAt, numbers, lengths, ids].map(bytesOf))

export function decodeDocuments (bytes: Uint8Array): Documents {
  const count = bytes.length / bytesOfDocument
  // A copy of its own begins where typed arrays can.
  const { buffer } = Uint8Array.from(bytes)
  return {
    count,
    readyAt: new Float64Array(buffer, 0, count),
    numbers: new Uint32Array(buffer, count * 8, count),
    lengths: new Uint16Array(buffer, count * 12, count),
    ids: Buffer.from(buffer, count * 14, count * 16)
  }
}

export const encodeDirectory = (firstEntries: readonly string[]): Buffer => Buffer.from(firstEntries.join(separator))
export const decodeDirectory = (bytes: Uint8Array): string[] => bytes.length === 0 ? [] : Buffer.from(bytes).toString().split(separator)

export function encodeBlock ({ entries, counts, starts, postings }: Block): Buffer {
  const text = Buffer.from(entries.join(separator))
  return Buffer.concat([bytesOf(Uint32Array.of(entries.length)), bytesOf(counts), bytesOf(starts), bytesOf(Uint32Array.of(text.length)), text, bytesOf(postings)])
}

export function decodeBlock (bytes: Uint8Array): Block {
  const own = Buffer.from(Uint8Array.from(bytes).buffer)
  const size = own.readUInt32LE(0)
  const textAt = 4 * (1 + size + size + 1)
  const postingsAt = textAt + 4 + own.readUInt32LE(textAt)
  return {
    entries: own.toString('utf8', textAt + 4, postingsAt).split(separator),
    counts: new Uint32Array(own.buffer, 4, size),
    starts: new Uint32Array(own.buffer, 4 * (1 + size), size + 1),
    postings: own.subarray(postingsAt)
  }
}

/** Visits the documents that have one entry of a block, by their places in the segment, with their counts as they are packed. */
export function eachPosting ({ postings, starts }: Block, at: number, visit: (place: number, counts: number) => void): void {
  const end = starts[at + 1]!
  let place = -1
  for (let byte = starts[at]!; byte < end;) {
    let distance = 0
    for (let shift = 0; ; shift += 7) {
      const part = postings[byte++]!
      distance |= (part & 127) << shift
      if (part < 128) break
    }
    place += distance
    visit(place, postings[byte++]!)
  }
}

/** The first place whose entry is not before this one. */
export function placeFrom (entries: readonly string[], entry: string): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (entries[middle]! < entry) low = middle + 1
    else high = middle
  }
  return low
}

/** Which blocks may hold entries that begin with this: from, and up to but not including. */
export function blocksWith (directory: readonly string[], beginning: string): { from: number, to: number } {
  let to = placeFrom(directory, beginning)
  // Entries may stand at the end of the block before the first that begins with it, or after.
  const from = Math.max(0, to - 1)
  while (to < directory.length && directory[to]!.startsWith(beginning)) to++
  return { from, to }
}
