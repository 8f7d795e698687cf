import { findSession } from '../../db/queries/sessions.js'
import type { ServiceContext } from './operation.js'

export interface SessionCaller { accountId: string, sessionId: string }

/** Who an access token belongs to; undefined when it is no living token, or its session has ended. */
export async function sessionOf ({ db, accessTokens, now }: ServiceContext, token: string): Promise<SessionCaller | undefined> {
  const claims = await accessTokens.verify(token)
  if (claims === undefined) return undefined
  const session = await findSession(db, claims.sessionId, now())
  return session?.account_id === claims.accountId ? claims : undefined
}
