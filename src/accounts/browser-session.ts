import { type Db, writeInPassing } from '../../db/connection.js'
import { findBrowserSession, extendSession } from '../../db/queries/sessions.js'
import { browserTokens, sessionLifetimeMs } from './session-tokens.js'

export interface BrowserSession {
  sessionId: string
  account: { id: string, email: string, administrator: boolean }
  /** When the cookie has to be set anew: its session was prolonged just now. */
  prolonged: Date | undefined
}

/** How often a session's use is written down. */
const usePrecision = 60 * 60 * 1000

/** Who a cookie belongs to; undefined when it is none of ours, or its session or account has ended. */
export async function authenticateBrowserSession ({ db, now }: { db: Db, now: () => Date }, token: string): Promise<BrowserSession | undefined> {
  const given = browserTokens.read(token)
  if (given === undefined) return undefined
  const time = now()
  const session = await findBrowserSession(db, { id: given.sessionId, hash: given.hash, now: time })
  if (session === undefined) return undefined
  const used = session.last_used_at?.getTime() ?? 0
  const prolonged = time.getTime() - used < usePrecision ? undefined : new Date(time.getTime() + sessionLifetimeMs)
  if (prolonged !== undefined) await writeInPassing(extendSession(db, session.account_id, { id: given.sessionId, now: time, expires_at: prolonged }))
  const { account_id: id, email, administrator } = session
  return { sessionId: given.sessionId, account: { id, email, administrator }, prolonged }
}
