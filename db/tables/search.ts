import type { Generated } from 'kysely'
import type { Computed, Time } from './columns.js'

/** Some documents of a project and their postings; never changes once live. src/search/segment.ts describes its parts. */
export interface SearchSegmentTable {
  id: Generated<string>
  project_id: string
  /** False while it is being written, and when it is discarded. */
  live: boolean
  /** Its blocks are being deleted. */
  discarded: Generated<boolean>
  /** Orders the segments: those with later documents have higher numbers. */
  first_number: number
  documents: number
  /** Sum over its documents. */
  words: number
  /** Number of its tombstones. */
  tombstones: Generated<number>
  /** Number of its parts with names; null: it has none, since they would be too large. */
  name_parts: number | null
  created_at: Time
}

/** The parts of a segment. */
export interface SearchBlockTable {
  segment_id: string
  /** 0 and up: blocks of postings, in the order of their entries; below 0: its directory, its documents, names and tombstones. */
  part: number
  bytes: Buffer
}

/** The present number of an indexed item. */
export interface SearchDocumentTable {
  project_id: string
  item_id: string
  number: number
}

/** A change of an item that is not indexed yet. Triggers write it. */
export interface SearchPendingTable {
  id: Computed<number>
  project_id: string
  item_id: string
}
