import type { KeyDetails } from '../../db/queries/keys.js'
import type { Account } from '../../schemas/account.js'
import type { Key } from '../../schemas/key.js'
import { maskKey } from './keys.js'

/** Normalizes an email address for storage: trims it and converts it to lower case. */
export const normalizeEmail = (written: string): string => written.trim().toLowerCase()

type AccountRow = Pick<Account, 'id' | 'email' | 'administrator' | 'time_zone'> & { disabled_at: Date | null, created_at: Date }

/** Maps a row to the published account. */
export const accountOf = ({ id, email, administrator, disabled_at, time_zone, created_at }: AccountRow): Account =>
  ({ id, email, administrator, disabled_at: disabled_at?.toISOString() ?? null, time_zone, created_at: created_at.toISOString() })

/** Maps a row to the published key. */
export const keyOf = ({
  id,
  name,
  prefix,
  scope,
  project_ids,
  expires_at,
  created_at,
  last_used_at,
  client_name,
  client_version
}: KeyDetails): Key => ({
  id,
  name,
  prefix,
  masked: maskKey(prefix),
  scope,
  project_ids,
  expires_at: expires_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  last_client: client_name === null ? null : { name: client_name, version: client_version }
})
