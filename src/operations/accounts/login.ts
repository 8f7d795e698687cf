import { LoginInput, Tokens } from '../../../schemas/account.js'
import { accessTokenLifetimeSeconds } from '../../accounts/access-tokens.js'
import { startSession, verifyLogin } from '../../accounts/login.js'
import { describeUserAgent } from '../../accounts/user-agent.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'

/** Starts a session of an API client. @throws Unauthorized, RateLimited, AccountDisabled: see `verifyLogin` */
export const login = operation({
  name: 'login',
  title: 'Log in',
  description: 'Returns an access token for the Authorization header, and a refresh token to replace it when it expires.',
  input: LoginInput,
  output: Tokens,
  async handler (context: AnonymousContext, { email, password }) {
    const { accounts: { accessTokens, refreshTokens }, userAgent } = context
    const account = await verifyLogin(context, { email, password })
    const { token, sessionId, hash } = refreshTokens.mint()
    await startSession(context, account, {
      id: sessionId,
      kind: 'token',
      refresh_token_hash: hash,
      user_agent: describeUserAgent(userAgent)
    })
    return {
      access_token: await accessTokens.sign({ accountId: account.id, sessionId }),
      refresh_token: token,
      token_type: 'Bearer' as const,
      expires_in: accessTokenLifetimeSeconds
    }
  }
})
