import { hourMs } from '../../schemas/durations.js'
import { type Db, writeIfWritable } from '../../db/connection.js'
import { findBrowserSession, extendSession } from '../../db/queries/sessions.js'
import { browserTokens, sessionLifetimeMs } from './session-tokens.js'

/** The session and account behind a browser's cookie. */
export interface BrowserSession {
  sessionId: string
  account: { id: string, email: string, administrator: boolean, time_zone: string }
  /** New expiry if this request extended the session; the cookie must be set again. */
  extendedUntil: Date | undefined
}

/** Precision of last_used_at for browser sessions. */
const lastUsedPrecisionMs = hourMs

/**
 * Finds the session of a cookie and extends it, at most hourly. @returns undefined if the token is invalid, or its session or account has
 * ended
 */
export async function authenticateBrowserSession (
  { db, now }: { db: Db, now: () => Date },
  token: string
): Promise<BrowserSession | undefined> {
  const parsedToken = browserTokens.read(token)
  if (parsedToken === undefined) return undefined
  const time = now()
  const session = await findBrowserSession(db, { id: parsedToken.sessionId, hash: parsedToken.hash, now: time })
  if (session === undefined) return undefined
  const used = session.last_used_at?.getTime() ?? 0
  const extendedUntil = time.getTime() - used < lastUsedPrecisionMs ? undefined : new Date(time.getTime() + sessionLifetimeMs)
  if (extendedUntil !== undefined) {
    await writeIfWritable(extendSession(db, session.account_id, { id: parsedToken.sessionId, now: time, expires_at: extendedUntil }))
  }
  const { account_id: id, email, administrator, time_zone } = session
  return { sessionId: parsedToken.sessionId, account: { id, email, administrator, time_zone }, extendedUntil }
}
