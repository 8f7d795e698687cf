import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { SnapshotSummary } from '../../schemas/snapshot.js'
import type { OptionalTime, Time } from './columns.js'

/** The sources that found a paper of a project. Papers that entered before Litfeed recorded them have no row. */
export interface FoundPaperTable {
  project_id: string
  paper_id: string
  /** Sorted, each once. */
  sources: string[]
  /** When the first of them found it. */
  found_at: Time
  /** Those that a fetch stated, or a file that cannot be undone. */
  fetched_sources: Generated<string[]>
  /** Those that each import stated, by its id. */
  imports: JSONColumnType<Record<string, string[]>, string | undefined, string>
}

/** Numbers of papers that fetches of a project found, neither in its feed nor among its candidates, which have no row of their own. */
export interface FoundTallyTable {
  project_id: string
  /** In UTC, as YYYY-MM-DD. */
  day: string
  /** Sorted, each once. */
  sources: string[]
  papers: number
}

/** Snapshots. A trigger refuses changes once one is frozen, except of `published_at` and its deletion. */
export interface SnapshotTable {
  id: Generated<string>
  /** Null while the snapshot is being deleted, when no query finds it. */
  project_id: ColumnType<string, string, string | null>
  /** The account of a snapshot that is being deleted. */
  deleted_account_id: ColumnType<string | null, string | null | undefined, string | null>
  /** The project's name when it was frozen. */
  project_name: string
  /** The period in which its records entered; null: without a beginning, and until it was frozen. */
  since: OptionalTime
  until: OptionalTime
  /** Whether it was created by the project's schedule. */
  scheduled: Generated<boolean>
  requested_at: Time
  /** The attempt that writes its parts; null before the first, and once it failed. */
  attempt: Generated<string | null>
  /** Why it could not be frozen. */
  error: Generated<string | null>
  /** The moment that it describes; null until it is complete. */
  frozen_at: OptionalTime
  /** Of its document, in hexadecimal digits. */
  sha256: Generated<string | null>
  /** Of its document. */
  bytes: Generated<number>
  parts: Generated<number>
  summary: JSONColumnType<SnapshotSummary, string | undefined, string> | null
  /** Since when anyone can read it at the address of its hash; null: only its owner can. Only a frozen one can be published. */
  published_at: OptionalTime
}

/** The document of a snapshot, in parts. */
export interface SnapshotPartTable {
  snapshot_id: string
  /** From 0. */
  ordinal: number
  content: string
}
