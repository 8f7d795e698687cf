import { findPassword, setPassword } from '../../../db/queries/accounts.js'
import { Nothing, PasswordChangeInput } from '../../../schemas/account.js'
import { hashPassword, verifyPassword } from '../../accounts/passwords.js'
import { Forbidden } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

const wrongPassword = () => new Forbidden('The current password is wrong.')

/** @throws Forbidden for a wrong current password, RateLimited after too many of them: whoever took over a session must not find it out */
export const passwordChange = operation({
  name: 'password_change',
  title: 'Change the password',
  description: 'Sets a new password. Every other session of the account ends.',
  input: PasswordChangeInput,
  output: Nothing,
  async handler ({ db, account, sessionId, accounts: { loginThrottle } }, { current_password, new_password }) {
    const { email, password_hash } = await findPassword(db, account.id)
    await loginThrottle.begin(account.id, email)
    if (!await verifyPassword(password_hash, current_password)) {
      loginThrottle.failed()
      throw wrongPassword()
    }
    await loginThrottle.succeeded(account.id, email)
    // Changed by somebody else since it was looked at: theirs stands.
    if (!await setPassword(db, account.id, await hashPassword(new_password), { currentHash: password_hash, except: sessionId })) throw wrongPassword()
    return {}
  }
})
