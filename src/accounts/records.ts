import type { Account } from '../../schemas/account.js'

/** Trims an email address and converts it to lower case, as it is stored. */
export const normalizeEmail = (written: string): string => written.trim().toLowerCase()

type AccountRow = Pick<Account, 'id' | 'email' | 'administrator'> & { disabled_at: Date | null, created_at: Date }

/** Maps a row to the published account. */
export const accountOf = ({ id, email, administrator, disabled_at, created_at }: AccountRow): Account =>
  ({ id, email, administrator, disabled_at: disabled_at?.toISOString() ?? null, created_at: created_at.toISOString() })
