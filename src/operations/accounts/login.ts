import type { Db } from '../../../db/connection.js'
import { findAccountByEmail } from '../../../db/queries/accounts.js'
import { createSession, endExpiredSessions } from '../../../db/queries/sessions.js'
import { LoginInput, Tokens } from '../../../schemas/account.js'
import { accessTokenLifetimeSeconds } from '../../accounts/access-tokens.js'
import { verifyPassword } from '../../accounts/passwords.js'
import { sessionLifetimeMs } from '../../accounts/session-tokens.js'
import { describeUserAgent } from '../../accounts/user-agent.js'
import { AccountDisabled, Unauthorized } from '../../errors/operation-errors.js'
import { normalizeEmail } from '../../accounts/records.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * Starts a session. Source: contract, section 4.
 * @throws Unauthorized, RateLimited, AccountDisabled: as `verifiedAccount`
 */
export const login = operation({
  name: 'login',
  title: 'Log in',
  description: 'Gives an access token for the Authorization header, and a refresh token for a new one when it has expired.',
  input: LoginInput,
  output: Tokens,
  async handler (context: AnonymousContext, { email, password }) {
    const { accounts: { accessTokens, refreshTokens }, userAgent } = context
    const account = await verifiedAccount(context, { email, password })
    const { token, sessionId, hash } = refreshTokens.mint()
    await beginSession(context, account, { id: sessionId, kind: 'token', refresh_token_hash: hash, user_agent: describeUserAgent(userAgent) })
    return {
      access_token: await accessTokens.sign({ accountId: account.id, sessionId }),
      refresh_token: token,
      token_type: 'Bearer' as const,
      expires_in: accessTokenLifetimeSeconds
    }
  }
})

/**
 * The account that a person proves to have.
 * @throws Unauthorized, the same for an unknown address and a wrong password; RateLimited after too many of them; AccountDisabled to whoever
 * knows the password
 */
export async function verifiedAccount ({ db, accounts: { loginThrottle }, address }: Pick<AnonymousContext, 'db' | 'accounts' | 'address'>, { email, password }: { email: string, password: string }) {
  const name = normalizeEmail(email)
  await loginThrottle.begin(address, name)
  const account = await accountWith(db, name, password).catch(async cause => {
    await loginThrottle.undo(address, name)
    throw cause
  })
  if (account === undefined) {
    loginThrottle.failed()
    throw wrongPassword()
  }
  await loginThrottle.succeeded(address, name)
  if (account.disabled_at !== null) throw new AccountDisabled()
  return account
}

/**
 * Starts a session of an account whose password has just been verified.
 * @returns when it expires
 * @throws Unauthorized when the account was given another password, or disabled, while the given one was looked at
 */
export async function beginSession ({ db, now }: AnonymousContext, { id: account_id, password_hash }: Verified, session: NewSession): Promise<Date> {
  const time = now()
  const expires_at = new Date(time.getTime() + sessionLifetimeMs)
  await endExpiredSessions(db, account_id, time)
  if (!await createSession(db, { ...session, account_id, password_hash, last_used_at: time, expires_at })) throw wrongPassword()
  return expires_at
}

type Verified = Awaited<ReturnType<typeof verifiedAccount>>
type NewSession = Pick<Parameters<typeof createSession>[1], 'id' | 'kind' | 'refresh_token_hash' | 'user_agent'>

const wrongPassword = () => new Unauthorized('The address or the password is wrong.')

async function accountWith (db: Db, email: string, password: string) {
  const account = await findAccountByEmail(db, email)
  return await verifyPassword(account?.password_hash, password) ? account : undefined
}
