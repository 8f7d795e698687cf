import { type Db, writeInPassing } from '../../db/connection.js'
import type { AccessTokens } from './access-tokens.js'
import { findAccount } from '../../db/queries/accounts.js'
import { findSession, markSessionUsed } from '../../db/queries/sessions.js'
import { Forbidden } from '../errors/operation-errors.js'

/** last_used_at is kept to the minute, so that reading does not become writing. */
const usedResolution = 60_000

interface SessionReader { db: Db, now: () => Date, accounts: { accessTokens: AccessTokens } }

export interface SessionCaller { accountId: string, sessionId: string }

/** Who an access token belongs to; undefined when it is no living token, or its session has ended. */
export async function authenticateSession ({ db, now, accounts: { accessTokens } }: SessionReader, token: string): Promise<SessionCaller | undefined> {
  const claims = await accessTokens.verify(token)
  if (claims === undefined) return undefined
  const time = now()
  const session = await findSession(db, claims.accountId, claims.sessionId, time)
  if (session === undefined) return undefined
  if (session.last_used_at === null || time.getTime() - session.last_used_at.getTime() >= usedResolution) await writeInPassing(markSessionUsed(db, claims.accountId, claims.sessionId, time))
  return claims
}

/** @throws Forbidden when the caller does not administer the service */
export async function requireAdministrator ({ db, account }: { db: Db, account: { readonly id: string } }): Promise<void> {
  const caller = await findAccount(db, account.id)
  if (caller?.administrator !== true) throw new Forbidden('Only an administrator of this service may do this.')
}
