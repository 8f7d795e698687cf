import type { Generated, JSONColumnType } from 'kysely'
import type { LibraryImportCounts } from '../../schemas/library-import.js'
import type { OptionalTime, Time } from './columns.js'

/** Imports of a person's own library. Feed items name the one that added them. */
export interface LibraryImportTable {
  id: Generated<string>
  account_id: string
  project_id: string
  file_name: string
  /** The vote that its items got. */
  vote: 'upvote' | null
  created_at: Time
  /** Null while it runs, and if it failed. */
  result: JSONColumnType<LibraryImportCounts, string | undefined, string> | null
  undone_at: OptionalTime
}
