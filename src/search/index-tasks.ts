import type { SegmentTotals } from '../../schemas/search-index.js'
import { indexDocument } from './document.js'
import { encodeNames, firstNamesPart, mergeNames } from './names.js'
import { type EntryRange, mergeBlocks, mergeDocuments } from './segment-merge.js'
import { buildSegment, encodeBlocks, encodeHead } from './segment-writer.js'
import {
  decodeBlock, decodeDirectory, decodeDocuments, decodeTombstones, encodeBlock, encodeDocuments, encodeTombstones, lowerBound,
  tombstonesPart
} from './segment.js'
import type { DocumentRow } from './storage.js'

/* The CPU work of indexing and compaction: bytes in, bytes out, so that a thread can do it. */

/** A part of a segment in its stored form, as it passes between threads. */
export interface PartCopy { part: number, bytes: Uint8Array }

/** A feed item with its new document number. */
export interface NumberedRow extends DocumentRow { number: number }

/** A segment to store. */
export interface BuiltSegment { totals: SegmentTotals, parts: PartCopy[] }

/** Builds a segment of some documents. @param tombstones numbers of documents of earlier segments that exist no more */
export function buildParts (rows: readonly NumberedRow[], tombstones: readonly number[] = []): BuiltSegment {
  const sorted = [...rows].sort((one, other) => one.number - other.number)
  const documents = sorted.map(row => ({ number: row.number, id: row.itemId, readyAt: row.readyAt, ...indexDocument(row) }))
  const segment = buildSegment(documents)
  const names = encodeNames(sorted)
  return {
    totals: {
      documents: segment.documents.count,
      words: segment.words,
      tombstones: tombstones.length,
      nameParts: names?.length ?? null
    },
    parts: [
      ...encodeHead(segment.blocks.map(({ entries }) => entries[0]!), segment.documents),
      ...encodeBlocks(segment.blocks, 0),
      ...tombstonesOf(tombstones),
      ...namesOf(names)
    ]
  }
}

const tombstonesOf = (numbers: readonly number[]): PartCopy[] =>
  numbers.length === 0 ? [] : [{ part: tombstonesPart, bytes: encodeTombstones(numbers) }]

const namesOf = (names: readonly Uint8Array[] = []): PartCopy[] => names.map((bytes, at) => ({ part: firstNamesPart - at, bytes }))

/** The parts with names of adjacent segments, and their tombstones, in their stored form. */
export interface NamesInput { names: readonly Uint8Array[], tombstones: readonly Uint8Array[] }

/** Merges names. @returns undefined if they are too large */
export function mergeNameParts ({ names, tombstones }: NamesInput): PartCopy[] | undefined {
  const merged = mergeNames(names, readTombstones(tombstones))
  return merged === undefined ? undefined : namesOf(merged)
}

const readTombstones = (encoded: readonly Uint8Array[]) => new Set(encoded.flatMap(bytes => [...decodeTombstones(bytes)]))

/** Adjacent segments to merge, in their stored form. */
export interface MergeInput {
  documents: readonly Uint8Array[]
  directories: readonly Uint8Array[]
  tombstones: readonly Uint8Array[]
  /** Whether no segment precedes them. Then other tombstones match nothing and are dropped. */
  isWhole: boolean
}

/** A range of entries, and the blocks of each segment that may hold them: `from` up to but not including `to`. */
export interface MergeRange extends EntryRange { blocks: ReadonlyArray<{ from: number, to: number }> }

/** Output of a merge: the documents, then range after range of entries. */
export interface MergePlan {
  documents: Uint8Array
  totals: Omit<SegmentTotals, 'nameParts'>
  newOrdinals: Int32Array[]
  ranges: MergeRange[]
  /** The tombstones of documents that precede these; none or one part. */
  tombstones: PartCopy[]
}

/** Blocks of one range; more would hold much memory at a time. */
const blocksPerRange = 64

/** Plans a merge. */
export function planMerge ({ documents: encoded, directories: encodedDirectories, tombstones, isWhole }: MergeInput): MergePlan {
  const all = encoded.map(decodeDocuments)
  const directories = encodedDirectories.map(decodeDirectory)
  const deleted = readTombstones(tombstones)
  const { documents, newOrdinals, words } = mergeDocuments(all, deleted)
  const entries = directories.flat().sort()
  const limits = entries.filter((entry, index) => index % blocksPerRange === 0 && entry !== entries[index - blocksPerRange])
  const ranges = limits.map((limit, index): MergeRange => {
    const range = { from: index === 0 ? '' : limit, to: limits[index + 1] }
    return { ...range, blocks: directories.map(directory => blocksOf(directory, range)) }
  })
  for (const { numbers } of all) for (const number of numbers) deleted.delete(number)
  const kept = isWhole ? [] : [...deleted]
  return {
    documents: encodeDocuments(documents),
    totals: { documents: documents.count, words, tombstones: kept.length },
    newOrdinals,
    ranges,
    tombstones: tombstonesOf(kept)
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
