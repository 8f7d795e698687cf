import type { Generated, JSONColumnType } from 'kysely'
import type { ZoteroCollection } from '../../schemas/zotero.js'
import type { OptionalTime, Time } from './columns.js'

/** Accounts that are connected with Zotero. */
export interface ZoteroAccountTable {
  account_id: string
  /** Encrypted by src/accounts/sealed-secrets.ts. */
  api_key: Buffer
  /** The user's number at Zotero. */
  user_id: string
  username: string
  connected_at: Time
  /** When Zotero rejected the key; no sync until it is replaced. */
  rejected_at: OptionalTime
  /** When Zotero accepts requests again. */
  paused_until: OptionalTime
}

/** How far the listing of a collection was read: everything up to `version`, or a part of what changed since. */
export interface ZoteroPosition {
  version: number
  /** The library's version while the listing was read, and the items that were read; null between two listings. */
  listing: { version: number, start: number } | null
}

/** Zotero sync settings and state of a project. */
export interface ZoteroSyncTable {
  project_id: string
  /** `users/123` or `groups/45`, as in addresses of the API. */
  library: string
  library_name: string
  /** Collections whose items enter the feed. */
  collections: JSONColumnType<ZoteroCollection[], string, string>
  /** Whether items that enter the feed are upvoted. */
  learn: Generated<boolean>
  /** The collection that receives starred papers. */
  target: JSONColumnType<ZoteroCollection, string | undefined | null, string | null> | null
  /** By the key of a collection. */
  positions: JSONColumnType<Record<string, ZoteroPosition>, string | undefined, string>
  /** The library's version up to which deletions are known; null before the first sync. */
  deleted_version: number | null
  created_at: Time
  next_sync_at: Time
  last_synced_at: OptionalTime
  last_error: string | null
}

/** Items of Zotero that a project knows. */
export interface ZoteroItemTable {
  project_id: string
  library: string
  item_key: string
  /** Null for an item of the target collection without a paper in the feed. */
  paper_id: string | null
  /**
   * imported: from a collection; known: found in the target collection; sending: to be created under this key, or being created; sent:
   * created; refused: Zotero rejected it; deleted: deleted in Zotero.
   */
  state: 'imported' | 'known' | 'sending' | 'sent' | 'refused' | 'deleted'
  /** The key of the target collection that contains it. */
  target: string | null
  /** Identifiers and title of an item without a paper, to recognize it when its paper is starred. */
  identities: Generated<string[]>
  created_at: Time
}
