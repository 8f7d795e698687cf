import type { Generated } from 'kysely'
import type { Computed, Time } from './columns.js'

/** What finds some documents of a project; it never changes once it is live. src/search/segment.ts says what its blocks hold. */
export interface SearchSegmentTable {
  id: Generated<string>
  project_id: string
  /** False while it is being written. */
  live: boolean
  /** The least of its documents' numbers: segments follow each other by it. */
  first_number: number
  documents: number
  /** Of all its documents. */
  words: number
  created_at: Time
}

export interface SearchBlockTable {
  segment_id: string
  /** 0 and up: postings, in the order of their entries; below 0: what db/queries/search-blocks.ts says. */
  part: number
  bytes: Buffer
}

/** The number that an item goes by in the search, as it was last taken in. */
export interface SearchDocumentTable {
  project_id: string
  item_id: string
  number: number
}

/** A number that means nothing any more, though a segment has it. */
export interface SearchGoneTable {
  project_id: string
  number: number
}

/** An item that came, changed or went, and that the search has yet to take in. Triggers write it. */
export interface SearchPendingTable {
  id: Computed<number>
  project_id: string
  item_id: string
}
