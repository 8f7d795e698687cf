import { minuteMs } from '../../schemas/durations.js'
import { type Db, writeIfWritable } from '../../db/connection.js'
import type { AccessTokens } from './access-tokens.js'
import { findAccount } from '../../db/queries/accounts.js'
import { findSession, markSessionUsed } from '../../db/queries/sessions.js'
import type { Caller } from '../../db/caller.js'
import { Forbidden } from '../errors/operation-errors.js'

/** Precision of last_used_at. Coarse, so reads do not cause a write each. */
const lastUsedPrecisionMs = minuteMs

interface SessionReader { dbFor: (accountId: string) => Db, now: () => Date, accounts: { accessTokens: AccessTokens } }

/** The account and session behind an access token. */
export interface SessionCaller { accountId: string, sessionId: string }

/**
 * Finds the caller of an access token and updates the session's last use. @returns undefined if the token is invalid or its session has
 * ended
 */
export async function authenticateSession (
  { dbFor, now, accounts: { accessTokens } }: SessionReader,
  token: string
): Promise<SessionCaller | undefined> {
  const claims = await accessTokens.verify(token)
  if (claims === undefined) return undefined
  // The token is signed, so the account is known.
  const db = dbFor(claims.accountId)
  const time = now()
  const session = await findSession(db, claims.accountId, claims.sessionId, time)
  if (session === undefined) return undefined
  if (session.last_used_at === null || time.getTime() - session.last_used_at.getTime() >= lastUsedPrecisionMs) {
    await writeIfWritable(markSessionUsed(db, claims.accountId, claims.sessionId, time))
  }
  return claims
}

/** Checks that the caller is an administrator. @throws Forbidden */
export async function requireAdministrator ({ db, account }: Caller): Promise<void> {
  const caller = await findAccount(db, account.id)
  if (caller?.administrator !== true) throw new Forbidden('Only administrators may do this. Ask one of them.')
}
