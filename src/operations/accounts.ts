import type { Account } from '../../schemas/account.js'

/** Addresses are kept in lower case: nobody means two people by two cases. */
export const emailOf = (written: string): string => written.trim().toLowerCase()

export const accountOf = ({ id, email, created_at }: { id: string, email: string, created_at: Date }): Account =>
  ({ id, email, created_at: created_at.toISOString() })
