import { type Block, type Documents, eachPosting, emptyDocuments } from './segment.js'
import { BlockWriter } from './segment-writer.js'

/** A segment that is merged: which place each of its documents gets, -1 for those that are gone. */
export interface Source { places: Int32Array, blocks: AsyncIterable<Block> }

/** Brings documents of segments that follow each other together, without those that are gone. */
export function mergeDocuments (all: readonly Documents[], gone: ReadonlySet<number>): { documents: Documents, places: Int32Array[], words: number } {
  const places = all.map(({ count }) => new Int32Array(count))
  let count = 0
  for (const [at, { numbers }] of all.entries()) {
    for (const [place, number] of numbers.entries()) places[at]![place] = gone.has(number) ? -1 : count++
  }
  const documents = emptyDocuments(count)
  let words = 0
  for (const [at, { numbers, lengths, readyAt, ids, count: size }] of all.entries()) {
    for (let from = 0; from < size; from++) {
      const to = places[at]![from]!
      if (to === -1) continue
      documents.numbers[to] = numbers[from]!
      documents.lengths[to] = lengths[from]!
      documents.readyAt[to] = readyAt[from]!
      ids.copy(documents.ids, to * 16, from * 16, from * 16 + 16)
      words += lengths[from]!
    }
  }
  return { documents, places, words }
}

/** Walks the entries of one segment. */
class Walk {
  readonly #places: Int32Array
  readonly #blocks: AsyncIterator<Block>
  #block: Block | undefined
  #at = 0

  constructor ({ places, blocks }: Source) {
    this.#places = places
    this.#blocks = blocks[Symbol.asyncIterator]()
  }

  get entry (): string | undefined {
    return this.#block?.entries[this.#at]
  }

  /** Whether the next entry is in another block, which has to be waited for. */
  get isEnding (): boolean {
    return this.#block === undefined || this.#at + 1 >= this.#block.entries.length
  }

  step (): void {
    this.#at++
  }

  async nextBlock (): Promise<void> {
    const { value, done } = await this.#blocks.next()
    this.#block = done === true ? undefined : value
    this.#at = 0
  }

  copy (writer: BlockWriter): void {
    eachPosting(this.#block!, this.#at, (place, counts) => {
      const to = this.#places[place]!
      if (to !== -1) writer.postings.add(to, counts)
    })
  }
}

/** The blocks of what segments become together. */
export async function * mergeBlocks (sources: readonly Source[]): AsyncIterable<Block> {
  const walks = sources.map(source => new Walk(source))
  await Promise.all(walks.map(walk => walk.nextBlock()))
  const writer = new BlockWriter()
  for (;;) {
    let least: string | undefined
    for (const { entry } of walks) if (entry !== undefined && (least === undefined || entry < least)) least = entry
    if (least === undefined) break
    for (const walk of walks) {
      if (walk.entry !== least) continue
      walk.copy(writer)
      if (walk.isEnding) await walk.nextBlock()
      else walk.step()
    }
    const full = writer.postings.count === 0 ? undefined : writer.end(least)
    if (full !== undefined) yield full
  }
  const last = writer.finish()
  if (last !== undefined) yield last
}
