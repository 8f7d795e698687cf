import { type Block, emptyDocuments, type Documents, idBytes } from './segment.js'
import type { Indexed } from './document.js'

/** Postings are gathered into blocks of about this many bytes; an entry that has more has a block to itself. */
const blockBytes = 16 * 1024
const mostEntries = 2048

/** Postings of one entry while they are written: the distance from the document before, in sevens of bits, then the counts of its fields. */
export class PostingsWriter {
  #bytes = new Uint8Array(1024)
  #size = 0
  #last = -1
  #start = 0
  count = 0

  add (place: number, counts: number): void {
    if (this.#size + 8 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let distance = place - this.#last
    while (distance > 127) {
      this.#bytes[this.#size++] = (distance & 127) | 128
      distance >>>= 7
    }
    this.#bytes[this.#size++] = distance
    this.#bytes[this.#size++] = counts
    this.#last = place
    this.count++
  }

  /** Ends the postings of an entry. @returns their bytes, which stay as they are until `clear` */
  end (): { start: number, end: number, count: number } {
    const ended = { start: this.#start, end: this.#size, count: this.count }
    this.#start = this.#size
    this.#last = -1
    this.count = 0
    return ended
  }

  get size (): number { return this.#size }

  /** @returns all bytes that were ended, up to `end`, and begins anew with what comes after */
  take (end: number): Uint8Array {
    const taken = this.#bytes.slice(0, end)
    this.#bytes.copyWithin(0, end, this.#size)
    this.#size -= end
    this.#start = this.#size
    return taken
  }
}

/** Gathers entries, in their order, into blocks. */
export class BlockWriter {
  readonly postings = new PostingsWriter()
  #entries: string[] = []
  #counts: number[] = []
  #starts: number[] = []

  /** Ends an entry whose postings have been added. @returns a block that is full */
  end (entry: string): Block | undefined {
    const { start, end, count } = this.postings.end()
    let full: Block | undefined
    if (this.#entries.length > 0 && (end > blockBytes || this.#entries.length >= mostEntries)) full = this.#cut(start)
    this.#entries.push(entry)
    this.#counts.push(count)
    this.#starts.push(full === undefined ? start : 0)
    return full
  }

  /** @returns the last block */
  finish (): Block | undefined {
    return this.#entries.length === 0 ? undefined : this.#cut(this.postings.size)
  }

  #cut (end: number): Block {
    const block = { entries: this.#entries, counts: Uint32Array.from(this.#counts), starts: Uint32Array.from([...this.#starts, end]), postings: this.postings.take(end) }
    this.#entries = []
    this.#counts = []
    this.#starts = []
    return block
  }
}

export interface NumberedDocument extends Indexed {
  number: number
  id: string
  readyAt: Date
}

export interface Segment { documents: Documents, words: number, blocks: Block[] }

/** Makes a segment of documents, in rising order of their numbers. */
export function makeSegment (all: readonly NumberedDocument[]): Segment {
  const documents = emptyDocuments(all.length)
  const places = new Map<string, number[]>()
  let words = 0
  for (const [place, { number, id, readyAt, length, entries }] of all.entries()) {
    documents.numbers[place] = number
    documents.lengths[place] = length
    documents.readyAt[place] = readyAt.getTime()
    idBytes(id).copy(documents.ids, place * 16)
    words += length
    for (const [entry, counts] of entries) {
      const known = places.get(entry)
      if (known === undefined) places.set(entry, [place, counts])
      else known.push(place, counts)
    }
  }
  const writer = new BlockWriter()
  const blocks: Block[] = []
  for (const entry of [...places.keys()].sort()) {
    const postings = places.get(entry)!
    for (let at = 0; at < postings.length; at += 2) writer.postings.add(postings[at]!, postings[at + 1]!)
    const full = writer.end(entry)
    if (full !== undefined) blocks.push(full)
  }
  const last = writer.finish()
  if (last !== undefined) blocks.push(last)
  return { documents, words, blocks }
}
