/**
 * A segment that searches read, with the numbers of its documents, of their words, of its tombstones, and of its parts with names; null if
 * names would be too large.
 */
export interface SegmentRow { id: string, documents: number, words: number, tombstones: number, nameParts: number | null }

/** The live segments of a project's index, in their order: what a search was made with. */
export interface SearchedIndex { projectId: string, segmentIds: readonly string[] }

/** Row of a live segment. */
export type SegmentTotals = Omit<SegmentRow, 'id'>

/**
 * Part of a segment: blocks of postings count from 0; `directoryPart`, `documentsPart`, `tombstonesPart` (src/search/segment.ts) and those
 * with names (src/search/names.ts) are negative.
 */
export interface PartKey { segmentId: string, part: number }

/** A part of a segment in its stored form. */
export interface PartBytes { part: number, bytes: Uint8Array }
