import type { Generated } from 'kysely'
import type { OptionalTime, Time } from './columns.js'

export interface AccountTable {
  id: Generated<string>
  /** Lower case. */
  email: string
  /** argon2id, encoded form. */
  password_hash: string
  /** Counts the rotations of the feed token, which is derived and never stored. */
  feed_token_version: Generated<number>
  /** Sees all accounts, jobs and the service itself. There is always one. */
  administrator: Generated<boolean>
  /** Since when the account is switched off: no login, no key, no Atom feed, no background work; null while it is not. */
  disabled_at: OptionalTime
  created_at: Time
}

/** A login. The row goes when the person logs out, or a used refresh token comes again. */
export interface SessionTable {
  id: Generated<string>
  account_id: string
  /** SHA-256 of the newest refresh token, or of the cookie's secret. */
  refresh_token_hash: Buffer
  /** token: a program's, whose refresh token rotates; browser: a cookie's, whose secret stays. */
  kind: Generated<'token' | 'browser'>
  /** What logged in, in a few words that a person knows it by. */
  user_agent: string | null
  /** To the minute, a browser's to the hour. */
  last_used_at: OptionalTime
  created_at: Time
  expires_at: Date
}

export interface McpKeyTable {
  account_id: string
  prefix: string
  /** argon2id of the secret, encoded form. */
  secret_hash: string
  /** Four bytes of the secret's SHA-256: tells a wrong secret without an argon2 run, and far too short to find the secret by. */
  secret_check: Buffer
  created_at: Time
  last_used_at: OptionalTime
}
