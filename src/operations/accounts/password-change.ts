import { getPassword, setPassword } from '../../../db/queries/accounts.js'
import { Nothing, PasswordChangeInput } from '../../../schemas/account.js'
import { hashPassword, verifyPassword } from '../../accounts/passwords.js'
import { Forbidden } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

const wrongPassword = () =>
  new Forbidden('The current password is wrong. Send the password that you log in with as current_password.', {
    userMessage: 'The current password is wrong. Enter the password that you sign in with.'
  })

/** @throws Forbidden for a wrong current password, RateLimited after too many: a stolen session must not reveal the password */
export const passwordChange = operation({
  name: 'password_change',
  title: 'Change the password',
  description: 'Sets a new password and ends every other session of the account.',
  input: PasswordChangeInput,
  output: Nothing,
  async handler ({ db, account, sessionId, accounts: { loginThrottle } }, { current_password, new_password, revoke_keys }) {
    const { password_hash } = await getPassword(db, account.id)
    // Not counted as logins: wrong logins elsewhere must not prevent a person from changing the password.
    const attempt = await loginThrottle.begin({ address: account.id, email: `change ${account.id}` })
    if (!await verifyPassword(password_hash, current_password)) {
      attempt.failed()
      throw wrongPassword()
    }
    await attempt.succeeded()
    // A concurrent change since the check wins.
    if (
      !(await setPassword(db, account.id, await hashPassword(new_password), {
        currentHash: password_hash,
        except: sessionId,
        revokesKeys: revoke_keys
      }))
    ) {
      throw wrongPassword()
    }
    return {}
  }
})
