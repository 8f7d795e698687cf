import { createAccount, createFirstAccount, hasAccount } from '../../../db/queries/accounts.js'
import { Account, RegisterInput } from '../../../schemas/account.js'
import { hashPassword } from '../../accounts/passwords.js'
import { EmailTaken, Forbidden, RegistrationClosed } from '../../errors/operation-errors.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'
import { accountOf, normalizeEmail } from '../../accounts/records.js'

/**
 * Creates an account if REGISTRATION allows it.
 * @throws RegistrationClosed, EmailTaken, RateLimited, Forbidden if the first account needs the setup token and it is missing or wrong
 */
export const register = operation({
  name: 'register',
  title: 'Register',
  description: 'Creates an account. By default, only the first account can register; the operator creates others ' +
    'with "litfeed user create".',
  input: RegisterInput,
  output: Account,
  async handler (
    {
      db,
      accounts: { registration, setupToken, trustsLocalSetup, loginThrottle },
      address,
      isLocal = false
    }: Pick<AnonymousContext, 'db' | 'accounts' | 'address' | 'isLocal'>,
    { email, password, setup_token }
  ) {
    const name = normalizeEmail(email)
    const isFirst = !await hasAccount(db)
    if (registration === 'closed' || (registration === 'first' && !isFirst)) {
      throw new RegistrationClosed(
        'Registration is closed. Ask the operator for an account: litfeed user create --email …',
        { userMessage: 'Registration is closed. Ask the person who runs this service for an account.' }
      )
    }
    // An attempt can guess the token and costs a password hash, so it counts like a login.
    const { purpose } = await loginThrottle.begin({ address, email: name })
    if (isFirst && !(trustsLocalSetup && isLocal) && (setupToken === undefined || setup_token !== setupToken)) {
      throw new Forbidden(
        'The first account needs setup_token: the setup token that the service printed when it started.',
        { userMessage: 'Enter the setup token that the service printed when it started.' }
      )
    }
    const password_hash = await hashPassword(password, purpose)
    const account = registration === 'first'
      ? await createFirstAccount(db, { email: name, password_hash })
      : await createAccount(db, { email: name, password_hash })
    if (account !== undefined) return accountOf(account)
    if (registration === 'first') {
      throw new RegistrationClosed('Another person has just created the first account. Registration is now closed.')
    }
    throw new EmailTaken(name)
  }
})
