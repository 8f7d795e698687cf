import { BrowserLoginInput, BrowserSessionStarted } from '../../../schemas/account.js'
import { browserTokens } from '../../accounts/session-tokens.js'
import { describeUserAgent } from '../../accounts/user-agent.js'
import { startSession, verifyLogin } from '../../accounts/login.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * Starts a browser session. Unlike `login`, its secret does not rotate, because several tabs share the cookie.
 * @throws Unauthorized, the same for an unknown address and a wrong password; RateLimited after too many attempts
 */
export const browserLogin = operation({
  name: 'browser_login',
  title: 'Sign in',
  description: 'Starts a browser session and returns the content of its cookie.',
  input: BrowserLoginInput,
  output: BrowserSessionStarted,
  async handler (context: AnonymousContext, { email, password, user_agent, device }) {
    const account = await verifyLogin(context, { email, password, device })
    const { token, sessionId, hash } = browserTokens.mint()
    const expires = await startSession(context, account, {
      id: sessionId,
      kind: 'browser',
      refresh_token_hash: hash,
      user_agent: describeUserAgent(user_agent)
    })
    return { token, expires_at: expires.toISOString(), device: context.accounts.deviceTokens.mint(account.email, context.now()) }
  }
})
