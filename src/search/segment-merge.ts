import { BlockWriter } from './segment-writer.js'
import { type Block, type Documents, emptyDocuments, forEachPosting } from './segment.js'

/** A segment to merge: its blocks in order, and the new docOrdinal of each of its documents, -1 for dropped ones. */
export interface MergeSource { newOrdinals: Int32Array, blocks: AsyncIterable<Block> }

/** Concatenates the documents of adjacent segments. @param tombstones numbers of documents to drop */
export function mergeDocuments (all: readonly Documents[], tombstones: ReadonlySet<number>): { documents: Documents, newOrdinals: Int32Array[], words: number } {
  const newOrdinals = all.map(({ count }) => new Int32Array(count))
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
  readonly #blocks: AsyncIterator<Block>
  #block: Block | undefined
  #index = 0

  constructor ({ newOrdinals, blocks }: MergeSource) {
    this.#newOrdinals = newOrdinals
    this.#blocks = blocks[Symbol.asyncIterator]()
  }

  get entry (): string | undefined {
    return this.#block?.entries[this.#index]
  }

  /** Whether the next entry is in another block, which takes an await. */
  get isAtBlockEnd (): boolean {
    return this.#block === undefined || this.#index + 1 >= this.#block.entries.length
  }

  advance (): void {
    this.#index++
  }

  async nextBlock (): Promise<void> {
    const { value, done } = await this.#blocks.next()
    this.#block = done === true ? undefined : value
    this.#index = 0
  }

  copyPostings (writer: BlockWriter): void {
    forEachPosting(this.#block!, this.#index, (docOrdinal, counts) => {
      const to = this.#newOrdinals[docOrdinal]!
      if (to !== -1) writer.postings.add(to, counts)
    })
  }
}

/** Merges the blocks of adjacent segments, one block in memory for each. */
export async function * mergeBlocks (sources: readonly MergeSource[]): AsyncIterable<Block> {
  const cursors = sources.map(source => new EntryCursor(source))
  await Promise.all(cursors.map(cursor => cursor.nextBlock()))
  const writer = new BlockWriter()
  for (;;) {
    let first: string | undefined
    for (const { entry } of cursors) if (entry !== undefined && (first === undefined || entry < first)) first = entry
    if (first === undefined) break
    for (const cursor of cursors) {
      if (cursor.entry !== first) continue
      cursor.copyPostings(writer)
      if (cursor.isAtBlockEnd) await cursor.nextBlock()
      else cursor.advance()
    }
    const full = writer.postings.count === 0 ? undefined : writer.endEntry(first)
    if (full !== undefined) yield full
  }
  const last = writer.finish()
  if (last !== undefined) yield last
}
