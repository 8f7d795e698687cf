import { createSession, endExpiredSessions } from '../../db/queries/sessions.js'
import { BrowserLoginInput, BrowserSessionStarted } from '../../schemas/account.js'
import { browserTokens, sessionLifetime } from '../accounts/session-tokens.js'
import { describeUserAgent } from '../accounts/user-agent.js'
import { verifiedAccount } from './login.js'
import { type AnonymousContext, operation } from './operation.js'

/**
 * Starts a browser's session: as `login`, but for a cookie whose secret stays the same, since several tabs use it at once.
 * @throws Unauthorized, the same for an unknown address and a wrong password; RateLimited after too many of them
 */
export const browserLogin = operation({
  name: 'browser_login',
  title: 'Sign in',
  description: 'Starts a session of a browser and gives what its cookie holds.',
  input: BrowserLoginInput,
  output: BrowserSessionStarted,
  async run (context: AnonymousContext, { email, password, user_agent }) {
    const { db, now } = context
    const account = await verifiedAccount(context, { email, password })
    const { token, sessionId, hash } = browserTokens.mint()
    const expires = new Date(now().getTime() + sessionLifetime)
    await endExpiredSessions(db, account.id, now())
    await createSession(db, { id: sessionId, account_id: account.id, kind: 'browser', refresh_token_hash: hash, user_agent: describeUserAgent(user_agent), last_used_at: now(), expires_at: expires })
    return { token, expires_at: expires.toISOString() }
  }
})
