import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ImportProgress, LibraryImportCounts, LibraryRejection } from '../../schemas/library-import.js'
import type { OptionalTime, Time } from './columns.js'

/** Imports of a person's own library. Feed items name the one that added them. */
export interface LibraryImportTable {
  id: Generated<string>
  account_id: string
  project_id: string
  file_name: string
  /** The vote that its items got. */
  vote: 'upvote' | null
  /** The projects that the key which started it can see; null: all. */
  visible_projects: ColumnType<string[] | null, readonly string[] | null | undefined, never>
  created_at: Time
  /** Bytes of its file; 0 once the file is removed. */
  pending_bytes: Generated<number>
  /** Whether its file has been stored. */
  complete: Generated<boolean>
  progress: JSONColumnType<ImportProgress, string | undefined, string> | null
  /** Progress so far, from which another attempt continues, with the first rejections. */
  counts: JSONColumnType<LibraryImportCounts, string | undefined, string> | null
  /** With the first rejections. Null while it runs, and if it failed. */
  result: JSONColumnType<LibraryImportCounts, string | undefined, string> | null
  /** Further rejections, which follow those of `counts` or `result`; lists of imports do not read them. */
  more_rejected: JSONColumnType<LibraryRejection[], string | null | undefined, string | null> | null
  /** The addresses of the journal feeds that it added to the project; null for a file of papers. */
  feeds: JSONColumnType<string[], string | undefined, string> | null
  undone_at: OptionalTime
  /** Whether an undo has not removed everything yet; maintenance continues one whose process ended. */
  undo_pending: Generated<boolean>
}

/** Parts of files that wait to be imported. */
export interface ImportPartTable {
  import_id: string
  ordinal: number
  bytes: Buffer
}
