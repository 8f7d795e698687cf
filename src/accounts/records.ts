import type { Account } from '../../schemas/account.js'

/** Addresses are kept in lower case: nobody means two people by two cases. */
export const normalizeEmail = (written: string): string => written.trim().toLowerCase()

type AccountRow = Pick<Account, 'id' | 'email' | 'administrator'> & { disabled_at: Date | null, created_at: Date }

export const accountOf = ({ id, email, administrator, disabled_at, created_at }: AccountRow): Account =>
  ({ id, email, administrator, disabled_at: disabled_at?.toISOString() ?? null, created_at: created_at.toISOString() })
