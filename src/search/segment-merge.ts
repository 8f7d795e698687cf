import { BlockWriter } from './segment-writer.js'
import { type Block, type Documents, emptyDocuments, forEachPosting, lowerBound } from './segment.js'

/** A segment to merge: its blocks in order, and the new docOrdinal of each of its documents, -1 for dropped ones. */
export interface MergeSource { newOrdinals: Int32Array, blocks: readonly Block[] }

/** Entries from one, inclusive, to another, exclusive; undefined after the last. */
export interface EntryRange { from: string, to: string | undefined }

/** Concatenates the documents of adjacent segments. @param tombstones numbers of documents to drop */
export function mergeDocuments (
  all: readonly Documents[],
  tombstones: ReadonlySet<number>
): { documents: Documents, newOrdinals: Int32Array[], words: number } {
  // Shared, because every range of entries needs them in another task.
  const newOrdinals = all.map(({ count }) => new Int32Array(new SharedArrayBuffer(count * 4)))
  let count = 0
  for (const [index, { numbers }] of all.entries()) {
    for (const [docOrdinal, number] of numbers.entries()) newOrdinals[index]![docOrdinal] = tombstones.has(number) ? -1 : count++
  }
  const documents = emptyDocuments(count)
  let words = 0
  for (const [index, { numbers, lengths, readyAt, ids, count: size }] of all.entries()) {
    for (let from = 0; from < size; from++) {
      const to = newOrdinals[index]![from]!
      if (to === -1) continue
      documents.numbers[to] = numbers[from]!
      documents.lengths[to] = lengths[from]!
      documents.readyAt[to] = readyAt[from]!
      ids.copy(documents.ids, to * 16, from * 16, from * 16 + 16)
      words += lengths[from]!
    }
  }
  return { documents, newOrdinals, words }
}

/** Walks the entries of one segment in order. */
class EntryCursor {
  readonly #newOrdinals: Int32Array
  readonly #blocks: readonly Block[]
  #at = 0
  #index = 0

  constructor ({ newOrdinals, blocks }: MergeSource, from: string) {
    this.#newOrdinals = newOrdinals
    this.#blocks = blocks
    while (this.#at < blocks.length && blocks[this.#at]!.entries.at(-1)! < from) this.#at++
    if (this.#at < blocks.length) this.#index = lowerBound(blocks[this.#at]!.entries, from)
  }

  get entry (): string | undefined {
    return this.#blocks[this.#at]?.entries[this.#index]
  }

  advance (): void {
    if (++this.#index < this.#blocks[this.#at]!.entries.length) return
    this.#at++
    this.#index = 0
  }

  copyPostings (writer: BlockWriter): void {
    forEachPosting(this.#blocks[this.#at]!, this.#index, (docOrdinal, counts) => {
      const to = this.#newOrdinals[docOrdinal]!
      if (to !== -1) writer.postings.add(to, counts)
    })
  }
}

/** Merges the blocks of adjacent segments that may hold a range of entries. @returns blocks with these entries */
export function mergeBlocks (sources: readonly MergeSource[], { from, to }: EntryRange = { from: '', to: undefined }): Block[] {
  const cursors = sources.map(source => new EntryCursor(source, from))
  const writer = new BlockWriter()
  const blocks: Block[] = []
  for (;;) {
    let first: string | undefined
    for (const { entry } of cursors) if (entry !== undefined && (first === undefined || entry < first)) first = entry
    if (first === undefined || (to !== undefined && first >= to)) break
    for (const cursor of cursors) {
      if (cursor.entry !== first) continue
      cursor.copyPostings(writer)
      cursor.advance()
    }
    const full = writer.postings.count === 0 ? undefined : writer.endEntry(first)
    if (full !== undefined) blocks.push(full)
  }
  const last = writer.finish()
  return last === undefined ? blocks : [...blocks, last]
}
