import type { EntryPattern } from './query-plan.js'
import { Match } from './query-plan.js'
import { type Block, type Documents, idAt, lowerBound } from './segment.js'
import type { Postings } from './term-scorer.js'

/** A segment in memory, as far as a query needs it. */
export interface LoadedSegment {
  documents: Documents
  /** The sum of its documents' lengths. */
  words: number
  /** Blocks that may hold entries with one of the query's prefixes, or one of its whole words. */
  blocks: (prefix: string, isWholeWord: boolean) => Iterable<Block>
}

/** Sorts after every letter and digit. */
const lastCharacter = '\uffff'

/** The segments of a project as one list of documents, each addressed by its position: its segment's base plus the docOrdinal. */
export class Corpus {
  readonly segments: readonly LoadedSegment[]
  readonly bases: readonly number[]
  /** Number of documents. */
  readonly total: number
  /** In words. */
  readonly averageLength: number

  constructor (segments: readonly LoadedSegment[]) {
    const bases: number[] = []
    let [total, words] = [0, 0]
    for (const segment of segments) {
      bases.push(total)
      total += segment.documents.count
      words += segment.words
    }
    this.segments = segments
    this.bases = bases
    this.total = total
    this.averageLength = total === 0 ? 0 : words / total
  }

  /** The item's UUID. */
  id (doc: number): string {
    const { segment, docOrdinal } = this.locate(doc)
    return idAt(this.segments[segment]!.documents, docOrdinal)
  }

  /** The item's UUID without hyphens, which is faster to write. */
  hexId (doc: number): string {
    const { segment, docOrdinal } = this.locate(doc)
    return this.segments[segment]!.documents.ids.toString('hex', docOrdinal * 16, docOrdinal * 16 + 16)
  }

  /** Milliseconds since 1970. */
  readyAt (doc: number): number {
    const { segment, docOrdinal } = this.locate(doc)
    return this.segments[segment]!.documents.readyAt[docOrdinal]!
  }

  /** The position of a document's segment in `segments`, and its docOrdinal there. */
  locate (doc: number): { segment: number, docOrdinal: number } {
    let segment = this.bases.length - 1
    while (this.bases[segment]! > doc) segment--
    return { segment, docOrdinal: doc - this.bases[segment]! }
  }

  /** Visits the documents with these numbers, wherever segments hold them; fastest if the numbers rise. */
  visitNumbers (numbers: ArrayLike<number>, visit: (doc: number) => void): void {
    for (const [index, { documents: { numbers: own, count } }] of this.segments.entries()) {
      if (count === 0) continue
      const [base, first, last] = [this.bases[index]!, own[0]!, own[count - 1]!]
      let at = 0
      for (let place = 0; place < numbers.length; place++) {
        const number = numbers[place]!
        if (number < first || number > last) continue
        if (own[at]! > number) at = 0
        // From where the one before was, in steps that double, then in steps that halve.
        let step = 1
        for (; at + step < count && own[at + step]! <= number; step *= 2) at += step
        for (step >>= 1; step > 0; step >>= 1) if (at + step < count && own[at + step]! <= number) at += step
        if (own[at] === number) visit(base + at)
      }
    }
  }

  /** Visits the documents that were deleted, and those whose items became ready after a time, if one is given. */
  visitExcluded (
    { tombstones, asOf }: { tombstones: ReadonlyArray<ArrayLike<number>>, asOf?: number | undefined },
    visit: (doc: number) => void
  ): void {
    for (const numbers of tombstones) this.visitNumbers(numbers, visit)
    if (asOf === undefined) return
    for (const [index, { documents: { readyAt, count } }] of this.segments.entries()) {
      const base = this.bases[index]!
      for (let ordinal = 0; ordinal < count; ordinal++) if (readyAt[ordinal]! > asOf) visit(base + ordinal)
    }
  }

  /** The postings of all entries that match a pattern, adjacent entries with the same match together. */
  findPostings (pattern: EntryPattern): Postings[] {
    return this.segments.flatMap((_segment, index) => this.findPostingsIn(index, pattern))
  }

  /** The same in one segment. */
  findPostingsIn (index: number, { prefixes, match, isPlain = false, isWholeWord = false }: EntryPattern): Postings[] {
    const found: Postings[] = []
    const base = this.bases[index]!
    for (const prefix of prefixes) {
      for (const block of this.segments[index]!.blocks(prefix, isWholeWord)) {
        const start = lowerBound(block.entries, prefix)
        if (isPlain || isWholeWord) {
          const isWhole = block.entries[start] === prefix
          if (isWhole) found.push({ base, block, from: start, to: start + 1, match: Match.whole })
          if (isWholeWord) continue
          const end = lowerBound(block.entries, prefix + lastCharacter)
          if (start + Number(isWhole) < end) found.push({ base, block, from: start + Number(isWhole), to: end, match: Match.prefix })
          continue
        }
        const end = lowerBound(block.entries, prefix + lastCharacter)
        let last: Postings | undefined
        for (let entry = start; entry < end; entry++) {
          const kind = match(block.entries[entry]!)
          if (kind === last?.match) last.to = entry + 1
          else if (kind === Match.none) last = undefined
          else found.push(last = { base, block, from: entry, to: entry + 1, match: kind })
        }
      }
    }
    return found
  }
}
