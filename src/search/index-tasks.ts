import type { SegmentTotals } from '../../schemas/search-index.js'
import { indexDocument } from './document.js'
import { encodeNames, firstNamesPart, mergeNames } from './names.js'
import { type EntryRange, mergeBlocks, mergeDocuments } from './segment-merge.js'
import { buildSegment, encodeBlocks, encodeHead } from './segment-writer.js'
import { decodeBlock, decodeDirectory, decodeDocuments, encodeBlock, encodeDocuments, lowerBound } from './segment.js'
import type { DocumentRow } from './storage.js'

/* The CPU work of indexing and compaction: bytes in, bytes out, so that a thread can do it. */

/** A part of a segment in its stored form, as it passes between threads. */
export interface PartCopy { part: number, bytes: Uint8Array }

/** A feed item with its new document number. */
export interface NumberedRow extends DocumentRow { number: number }

/** A segment to store. */
export interface BuiltSegment { totals: SegmentTotals, parts: PartCopy[] }

/** Builds a segment of some documents. */
export function buildParts (rows: readonly NumberedRow[]): BuiltSegment {
  const sorted = [...rows].sort((one, other) => one.number - other.number)
  const documents = sorted.map(row => ({ number: row.number, id: row.itemId, readyAt: row.readyAt, ...indexDocument(row) }))
  const segment = buildSegment(documents)
  const names = encodeNames(sorted)
  return {
    totals: {
      firstNumber: segment.documents.numbers[0]!,
      documents: segment.documents.count,
      words: segment.words,
      nameParts: names?.length ?? null
    },
    parts: [
      ...encodeHead(segment.blocks.map(({ entries }) => entries[0]!), segment.documents),
      ...encodeBlocks(segment.blocks, 0),
      ...namesOf(names)
    ]
  }
}

const namesOf = (names: readonly Uint8Array[] = []): PartCopy[] => names.map((bytes, at) => ({ part: firstNamesPart - at, bytes }))

/** The parts with names of adjacent segments, in their stored form, and the numbers of documents to drop. */
export interface NamesInput { names: readonly Uint8Array[], tombstones: readonly number[] }

/** Merges names. @returns undefined if they are too large */
export function mergeNameParts ({ names, tombstones }: NamesInput): PartCopy[] | undefined {
  const merged = mergeNames(names, new Set(tombstones))
  return merged === undefined ? undefined : namesOf(merged)
}

/** Adjacent segments to merge, in their stored form. */
export interface MergeInput {
  documents: readonly Uint8Array[]
  directories: readonly Uint8Array[]
  /** Numbers of documents to drop. */
  tombstones: readonly number[]
}

/** A range of entries, and the blocks of each segment that may hold them: `from` up to but not including `to`. */
export interface MergeRange extends EntryRange { blocks: ReadonlyArray<{ from: number, to: number }> }

/** Output of a merge: the documents, then range after range of entries. */
export interface MergePlan {
  documents: Uint8Array
  totals: Omit<SegmentTotals, 'nameParts'>
  newOrdinals: Int32Array[]
  ranges: MergeRange[]
  /** Tombstones of the documents that the merge drops. */
  dropped: number[]
}

/** Blocks of one range; more would hold much memory at a time. */
const blocksPerRange = 64

/** Plans a merge. */
export function planMerge ({ documents: encoded, directories: encodedDirectories, tombstones }: MergeInput): MergePlan {
  const all = encoded.map(decodeDocuments)
  const directories = encodedDirectories.map(decodeDirectory)
  const { documents, newOrdinals, words } = mergeDocuments(all, new Set(tombstones))
  const entries = directories.flat().sort()
  const limits = entries.filter((entry, index) => index % blocksPerRange === 0 && entry !== entries[index - blocksPerRange])
  const ranges = limits.map((limit, index): MergeRange => {
    const range = { from: index === 0 ? '' : limit, to: limits[index + 1] }
    return { ...range, blocks: directories.map(directory => blocksOf(directory, range)) }
  })
  return {
    documents: encodeDocuments(documents),
    totals: { firstNumber: all.find(({ count }) => count > 0)?.numbers[0] ?? 0, documents: documents.count, words },
    newOrdinals,
    ranges,
    dropped: all.flatMap(({ numbers }, index) => [...numbers].filter((_number, docOrdinal) => newOrdinals[index]![docOrdinal] === -1))
  }
}

/** The blocks that may hold entries of a range. */
function blocksOf (directory: readonly string[], { from, to }: EntryRange): { from: number, to: number } {
  const next = lowerBound(directory, from)
  // The block before may end with such entries.
  const first = directory[next] === from ? next : Math.max(0, next - 1)
  const last = to === undefined ? directory.length : Math.max(first, lowerBound(directory, to))
  return { from: first, to: last }
}

/** The blocks of each segment, and what the merge planned. */
export interface RangeInput extends EntryRange { blocks: ReadonlyArray<readonly Uint8Array[]>, newOrdinals: readonly Int32Array[] }

/** Merges one range of entries. */
export function mergeRange ({ blocks, newOrdinals, ...range }: RangeInput): { blocks: Uint8Array[], firstEntries: string[] } {
  const merged = mergeBlocks(
    blocks.map((encoded, index) => ({ newOrdinals: newOrdinals[index]!, blocks: encoded.map(decodeBlock) })),
    range
  )
  return { blocks: merged.map(encodeBlock), firstEntries: merged.map(({ entries }) => entries[0]!) }
}
