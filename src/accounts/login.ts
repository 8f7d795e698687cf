import type { Db } from '../../db/connection.js'
import { findAccountByEmail } from '../../db/queries/accounts.js'
import { createSession, endExpiredSessions } from '../../db/queries/sessions.js'
import { AccountDisabled, Unauthorized } from '../errors/operation-errors.js'
import type { Purpose } from './argon2.js'
import type { DeviceTokens } from './device-tokens.js'
import { checkAttempt, type LoginThrottle } from './login-throttle.js'
import { verifyPassword } from './passwords.js'
import { normalizeEmail } from './records.js'
import { sessionLifetimeMs } from './session-tokens.js'

/** Properties of a call that a login uses. */
interface LoginContext {
  db: Db
  now: () => Date
  accounts: { loginThrottle: LoginThrottle, deviceTokens: DeviceTokens }
  /** Network address of the caller. */
  address: string
}

interface Credentials {
  email: string
  password: string
  /** Token of the device, if the caller has one. */
  device?: string | undefined
}

/**
 * Verifies an email address and a password.
 *
 * @returns the account
 * @throws Unauthorized for an unknown address and a wrong password alike
 * @throws RateLimited after too many failures or logins
 * @throws AccountDisabled if the password is right and the account is disabled
 */
export async function verifyLogin (
  { db, now, accounts: { loginThrottle, deviceTokens }, address }: LoginContext,
  { email, password, device }: Credentials
) {
  const name = normalizeEmail(email)
  const attempt = await loginThrottle.begin({
    address,
    email: name,
    deviceId: device === undefined ? undefined : deviceTokens.read(device, name, now())
  })
  const account = await checkAttempt(attempt, purpose => accountWith(db, name, password, purpose))
  if (account === undefined) {
    await attempt.failed()
    throw wrongPassword()
  }
  await attempt.succeeded()
  if (account.disabled_at !== null) throw new AccountDisabled()
  return account
}

/**
 * Starts a session of an account whose password has just been verified.
 *
 * @returns when the session expires
 * @throws Unauthorized if the password was changed or the account disabled in the meantime
 */
export async function startSession (
  { db, now }: LoginContext,
  { id: account_id, password_hash }: Verified,
  session: NewSession
): Promise<Date> {
  const time = now()
  const expires_at = new Date(time.getTime() + sessionLifetimeMs)
  await endExpiredSessions(db, account_id, time)
  if (!await createSession(db, { ...session, account_id, password_hash, last_used_at: time, expires_at })) throw wrongPassword()
  return expires_at
}

type Verified = Awaited<ReturnType<typeof verifyLogin>>
type NewSession = Pick<Parameters<typeof createSession>[1], 'id' | 'kind' | 'refresh_token_hash' | 'user_agent'>

const wrongPassword = () => new Unauthorized('The email address or password is wrong. Check both and try again.')

async function accountWith (db: Db, email: string, password: string, purpose: Purpose) {
  const account = await findAccountByEmail(db, email)
  return await verifyPassword(account?.password_hash, password, purpose) ? account : undefined
}
