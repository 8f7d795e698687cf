import type { Db } from '../../db/connection.js'
import { getPassword } from '../../db/queries/accounts.js'
import { checkAttempt, type LoginThrottle } from './login-throttle.js'
import { verifyPassword } from './passwords.js'

interface OwnAccount { db: Db, account: { id: string }, accounts: { loginThrottle: LoginThrottle } }

/** What a password confirms. */
interface Confirmed {
  /** Names the action. Its attempts are counted apart from logins: wrong logins elsewhere must not keep a person from it. */
  action: string
  /** The error for a wrong password. */
  wrongPassword: () => Error
}

/**
 * Verifies the password of a signed-in person again, before something that a stolen session must not do.
 * @returns the hash of the password
 * @throws the error for a wrong password, RateLimited after too many, Unavailable if too many passwords are queued
 */
export async function requireOwnPassword (
  { db, account, accounts: { loginThrottle } }: OwnAccount,
  password: string,
  { action, wrongPassword }: Confirmed
): Promise<string> {
  const { password_hash } = await getPassword(db, account.id)
  const attempt = await loginThrottle.begin({ address: account.id, email: `${action} ${account.id}` })
  const isRight = await checkAttempt(attempt, () => verifyPassword(password_hash, password))
  if (!isRight) {
    await attempt.failed()
    throw wrongPassword()
  }
  await attempt.succeeded()
  return password_hash
}
