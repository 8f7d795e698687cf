import { endTokenSession, rotateSession } from '../../../db/queries/sessions.js'
import { RefreshInput, Tokens } from '../../../schemas/account.js'
import { accessTokenLifetimeSeconds } from '../../accounts/access-tokens.js'
import { sessionLifetimeMs } from '../../accounts/session-tokens.js'
import { Unauthorized } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * Exchanges a refresh token for new tokens. A token that is used twice was stolen or lost, so its session ends. A forged token ends
 * nothing.
 * @see RFC 9700, section 4.14.2
 * @throws Unauthorized, RateLimited if the session refreshes its tokens too often
 */
export const tokenRefresh = operation({
  name: 'token_refresh',
  title: 'Refresh tokens',
  description: 'Exchanges the refresh token for a new access token and a new refresh token. Each refresh token works once.',
  input: RefreshInput,
  output: Tokens,
  async handler (
    { db, now, accounts: { accessTokens, refreshTokens, refreshThrottle } }: Pick<ServiceContext, 'db' | 'now' | 'accounts'>,
    { refresh_token }
  ) {
    const parsedToken = refreshTokens.read(refresh_token)
    if (parsedToken === undefined) throw new Unauthorized('The refresh token is not valid. Log in again.')
    const { sessionId, hash: used } = parsedToken
    await refreshThrottle(sessionId)
    const { token, hash: next } = refreshTokens.mint(sessionId)
    const time = now()
    const session = await rotateSession(db, {
      id: sessionId,
      used,
      next,
      now: time,
      expires_at: new Date(time.getTime() + sessionLifetimeMs)
    })
    if (session === undefined) {
      await endTokenSession(db, sessionId)
      throw new Unauthorized('The refresh token was used before, or its session has ended. Log in again.')
    }
    return {
      access_token: await accessTokens.sign({ accountId: session.account_id, sessionId }),
      refresh_token: token,
      token_type: 'Bearer' as const,
      expires_in: accessTokenLifetimeSeconds
    }
  }
})
