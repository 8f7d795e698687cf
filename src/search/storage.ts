import type { FeedScope, GroupFilter, ItemFilter } from '../../schemas/search-filter.js'
import type { PartBytes, PartKey, SegmentRow, SegmentTotals } from '../../schemas/search-index.js'

/** The index of a project as of one moment; segments in the order of their documents' numbers. */
export interface IndexState {
  segments: SegmentRow[]
  /** Whether committed changes wait to be indexed. */
  hasPending: boolean
}

/** A feed item as it is indexed. */
export interface DocumentRow {
  itemId: string
  readyAt: Date
  title: string
  abstract: string | null
  summary: string | null
  authors: readonly { name: string }[]
  venue: string | null
  /** DOI, PMID, arXiv id … */
  identifiers: ReadonlyArray<string | null>
}

/** Changes in the order in which they were recorded, and the changed items. */
export interface PendingChanges {
  changes: Array<{ id: number, itemId: string }>
  /** Whether others may follow. */
  hasMore: boolean
  /** The changed items that exist, as committed, with new numbers that rise. */
  documents: Array<DocumentRow & { number: number }>
  /** The numbers by which earlier segments have the changed items. */
  formerNumbers: number[]
  /** Items whose paper an open transaction is changing: they are indexed as they are, and stay pending. */
  uncommittedItemIds: string[]
  /** The live segments before the numbers were taken. */
  segmentIds: string[]
}

/** Changes whose segment is built. */
export interface IndexedBatch {
  pending: PendingChanges
  /** Undefined if there is nothing to add and nothing to take back. */
  segment: { totals: SegmentTotals, parts: readonly PartBytes[] } | undefined
  /** The changes that are not pending any more. */
  settledIds: number[]
}

/** The database as indexing and compaction use it. */
export interface IndexStorage {
  listPendingProjects: () => Promise<string[]>
  listIndexedProjects: () => Promise<string[]>
  /** Reads the next changes: up to a number of them, and of characters in their items, but at least one. */
  readPending: (projectId: string, limit: { changes: number, characters: number }) => Promise<PendingChanges>
  /**
   * Adds the segment, notes the new numbers of the changed items, and ends the settled changes, all or nothing. @returns false, and
   * stores nothing, if another process has changed the index or indexed one of the changes since they were read
   */
  storeBatch: (projectId: string, batch: IndexedBatch) => Promise<boolean>
  /** Reads these parts, in any order; parts of segments that have been replaced are missing. */
  readParts: (keys: readonly PartKey[]) => Promise<Array<PartKey & PartBytes>>
  listSegments: (projectId: string) => Promise<SegmentRow[]>
  /** Reserves a segment that no search reads yet; undefined while another process holds the project's reservation, or without a project. */
  reserveSegment: (projectId: string) => Promise<string | undefined>
  writeParts: (segmentId: string, parts: readonly PartBytes[]) => Promise<void>
  /** Swaps live segments for a reserved one, all or nothing. @returns false if a segment no longer exists */
  replaceSegments: (
    projectId: string,
    replacement: { replacedIds: readonly string[], segmentId: string, totals: SegmentTotals }
  ) => Promise<boolean>
  /** Deletes a reserved segment. */
  discardSegment: (segmentId: string) => Promise<void>
}

/** The words of a feed item, without its people and identifiers; a long abstract is cut. */
export interface ItemText { itemId: string, title: string, abstract: string | null, summary: string | null }

/** The database as a search uses it. db/queries/search-storage.ts implements it. */
export interface SearchStorage extends IndexStorage {
  /** Reads the index in one statement; undefined if the account has no such project. */
  readIndex: (feed: FeedScope) => Promise<IndexState | undefined>
  /** Document numbers of a group's items; undefined for more than `limit` items, which it counts first. */
  listNumbers: (feed: FeedScope, group: Omit<GroupFilter, 'keep'>, limit: number) => Promise<Uint32Array | undefined>
  /** The texts of these items, in any order. */
  readTexts: (feed: FeedScope, itemIds: readonly string[]) => Promise<ItemText[]>
  /** The items of these that pass. */
  filterItems: (feed: FeedScope, itemIds: readonly string[], filter: ItemFilter) => Promise<string[]>
  /** Awaits an optional write, and ignores that the database does not accept writes. */
  writeIfWritable: (write: Promise<unknown>) => Promise<void>
}
