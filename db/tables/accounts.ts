import type { ColumnType, Generated } from 'kysely'
import type { KeyScope } from '../../schemas/key.js'
import type { OptionalTime, Time } from './columns.js'

/** Accounts. */
export interface AccountTable {
  id: Generated<string>
  /** Lower case. */
  email: string
  /** argon2id, encoded form. */
  password_hash: string
  /** When somebody proved to read mail to `email`; null: anybody may have registered it. */
  email_confirmed_at: OptionalTime
  /** Counts the rotations of the feed token, which is derived and never stored. */
  feed_token_version: Generated<number>
  /** Administers accounts, jobs and the service. At least one enabled account does. */
  administrator: Generated<boolean>
  /** When the account was disabled, which stops its logins, key, Atom feeds and background work; null while it is enabled. */
  disabled_at: OptionalTime
  /** When its deletion began, which takes many transactions. */
  deleted_at: OptionalTime
  /** Name in the tz database. */
  time_zone: Generated<string>
  /** The last day, YYYY-MM-DD in UTC, on which the account caused calls of the language model, and their number. */
  model_day: Generated<string | null>
  model_calls: Generated<number>
  created_at: Time
}

/** Sessions. A session ends, and its row is deleted, on logout or when a used refresh token is used again. */
export interface SessionTable {
  id: Generated<string>
  account_id: string
  /** SHA-256 of the newest refresh token, or of the cookie's secret. */
  refresh_token_hash: Buffer
  /** token: a program's, whose refresh token rotates; browser: a cookie's, whose secret does not. */
  kind: Generated<'token' | 'browser'>
  /** The client in a few words that a person recognizes. */
  user_agent: string | null
  /** Accurate to a minute, for browsers to an hour. */
  last_used_at: OptionalTime
  created_at: Time
  expires_at: Date
}

/** Links that set a new password, sent by mail. */
export interface PasswordResetTable {
  /** SHA-256 of the token, which has 190 random bits. */
  token_hash: Buffer
  account_id: string
  created_at: Time
  expires_at: Date
  /** Whether the link was used, or a later change of the password ended it. */
  used: Generated<boolean>
}

/** Links that create accounts. */
export interface InvitationTable {
  id: Generated<string>
  /** SHA-256 of the token, which has 190 random bits. */
  token_hash: Buffer
  /** The only address that can register with it, in lower case; null: any. */
  email: string | null
  note: string
  /** Accounts that it can create, and those that it has created. */
  uses: number
  used: Generated<number>
  /** The administrator; null for the command line, and after their account was deleted. */
  created_by: string | null
  created_at: Time
  expires_at: Date
  revoked_at: OptionalTime
  last_used_at: OptionalTime
}

/** MCP keys. */
export interface McpKeyTable {
  id: Generated<string>
  account_id: string
  /** Unique in the account. */
  name: Generated<string>
  prefix: string
  /** argon2id of the secret, encoded form. */
  secret_hash: string
  /** Four bytes of the secret's SHA-256. Rejects a wrong secret without running argon2, and is too short to find the secret by. */
  secret_check: Buffer
  scope: Generated<KeyScope>
  /** The projects that the key can see; null: all of the account's. */
  project_ids: ColumnType<string[] | null, string[] | null | undefined, string[] | null>
  /** When the key stops working; null: never. */
  expires_at: OptionalTime
  created_at: Time
  last_used_at: OptionalTime
  /** The client that used the key last, as it names itself. */
  client_name: string | null
  client_version: string | null
}
