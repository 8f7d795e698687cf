import type { PartBytes } from '../../schemas/search-index.js'
import type { IndexedDocument } from './document.js'
import {
  type Block,
  directoryPart,
  type Documents,
  documentsPart,
  emptyDocuments,
  encodeBlock,
  encodeDirectory,
  encodeDocuments,
  idBytes
} from './segment.js'

/** A block ends at about this many bytes of postings; an entry with more has a block to itself. */
const maxBlockBytes = 16 * 1024
const maxBlockEntries = 2048

/** Postings while they are written, one entry after another. */
class PostingsWriter {
  #bytes = new Uint8Array(1024)
  #size = 0
  #lastOrdinal = -1
  #start = 0
  count = 0

  /** Adds a posting of the current entry; docOrdinals must rise. */
  add (docOrdinal: number, counts: number): void {
    if (this.#size + 8 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let distance = docOrdinal - this.#lastOrdinal
    while (distance > 127) {
      this.#bytes[this.#size++] = (distance & 127) | 128
      distance >>>= 7
    }
    this.#bytes[this.#size++] = distance
    this.#bytes[this.#size++] = counts
    this.#lastOrdinal = docOrdinal
    this.count++
  }

  /** Ends the current entry. @returns its byte range and how many postings it has */
  endEntry (): { start: number, end: number, count: number } {
    const ended = { start: this.#start, end: this.#size, count: this.count }
    this.#start = this.#size
    this.#lastOrdinal = -1
    this.count = 0
    return ended
  }

  get size (): number { return this.#size }

  /** Removes the bytes before `end`; those after it move to the start. */
  take (end: number): Uint8Array {
    const taken = this.#bytes.slice(0, end)
    this.#bytes.copyWithin(0, end, this.#size)
    this.#size -= end
    this.#start = this.#size
    return taken
  }
}

/** Gathers entries, which must come in order, into blocks. */
export class BlockWriter {
  readonly postings = new PostingsWriter()
  #entries: string[] = []
  #counts: number[] = []
  #starts: number[] = []

  /** Ends the entry whose postings were added. @returns a block if one is full, without this entry */
  endEntry (entry: string): Block | undefined {
    const { start, end, count } = this.postings.endEntry()
    let full: Block | undefined
    if (this.#entries.length > 0 && (end > maxBlockBytes || this.#entries.length >= maxBlockEntries)) full = this.#cut(start)
    this.#entries.push(entry)
    this.#counts.push(count)
    this.#starts.push(full === undefined ? start : 0)
    return full
  }

  /** @returns the last block, if anything is left */
  finish (): Block | undefined {
    return this.#entries.length === 0 ? undefined : this.#cut(this.postings.size)
  }

  #cut (end: number): Block {
    const block = {
      entries: this.#entries,
      counts: Uint32Array.from(this.#counts),
      starts: Uint32Array.from([...this.#starts, end]),
      postings: this.postings.take(end)
    }
    this.#entries = []
    this.#counts = []
    this.#starts = []
    return block
  }
}

/** An indexed feed item with the number that identifies it in its project's index. */
export interface NumberedDocument extends IndexedDocument {
  number: number
  id: string
  readyAt: Date
}

/** A segment in memory; `words` is the sum of its documents' lengths. */
export interface Segment { documents: Documents, words: number, blocks: Block[] }

/** Builds a segment. @param all documents in rising order of their numbers */
export function buildSegment (all: readonly NumberedDocument[]): Segment {
  const documents = emptyDocuments(all.length)
  // For each entry docOrdinal and field counts in turn.
  const postings = new Map<string, number[]>()
  let words = 0
  for (const [docOrdinal, { number, id, readyAt, length, entries }] of all.entries()) {
    documents.numbers[docOrdinal] = number
    documents.lengths[docOrdinal] = length
    documents.readyAt[docOrdinal] = readyAt.getTime()
    idBytes(id).copy(documents.ids, docOrdinal * 16)
    words += length
    for (const [entry, counts] of entries) {
      const known = postings.get(entry)
      if (known === undefined) postings.set(entry, [docOrdinal, counts])
      else known.push(docOrdinal, counts)
    }
  }
  const writer = new BlockWriter()
  const blocks: Block[] = []
  for (const entry of [...postings.keys()].sort()) {
    const pairs = postings.get(entry)!
    for (let at = 0; at < pairs.length; at += 2) writer.postings.add(pairs[at]!, pairs[at + 1]!)
    const full = writer.endEntry(entry)
    if (full !== undefined) blocks.push(full)
  }
  const last = writer.finish()
  if (last !== undefined) blocks.push(last)
  return { documents, words, blocks }
}

/** The stored form of blocks that follow each other. @param from the part of the first */
export const encodeBlocks = (blocks: readonly Block[], from: number): PartBytes[] =>
  blocks.map((block, at) => ({ part: from + at, bytes: encodeBlock(block) }))

/** The stored form of what a segment has beside its blocks. @param directory the first entry of each block */
export const encodeHead = (directory: readonly string[], documents: Documents): PartBytes[] => [
  { part: directoryPart, bytes: encodeDirectory(directory) },
  { part: documentsPart, bytes: encodeDocuments(documents) }
]
