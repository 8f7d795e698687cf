import { BrowserLoginInput, BrowserSessionStarted } from '../../../schemas/account.js'
import { browserTokens } from '../../accounts/session-tokens.js'
import { describeUserAgent } from '../../accounts/user-agent.js'
import { startSession, verifyLogin } from '../../accounts/login.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'

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
  async handler (context: AnonymousContext, { email, password, user_agent }) {
    const account = await verifyLogin(context, { email, password })
    const { token, sessionId, hash } = browserTokens.mint()
    const expires = await startSession(context, account, { id: sessionId, kind: 'browser', refresh_token_hash: hash, user_agent: describeUserAgent(user_agent) })
    return { token, expires_at: expires.toISOString() }
  }
})
