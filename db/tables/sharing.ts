import type { Generated } from 'kysely'
import type { OptionalTime, Time } from './columns.js'

/** Links that show a feed to anyone who has their address. */
export interface ShareLinkTable {
  id: Generated<string>
  project_id: string
  /** Shown to readers above the papers. */
  title: string
  /** Only the papers with this tag; null: the whole feed. */
  tag: string | null
  /** Whether the papers of the tag are those of all projects of the account. */
  all_projects: Generated<boolean>
  token_hash: Buffer
  created_at: Time
  expires_at: OptionalTime
  last_opened_at: OptionalTime
}
