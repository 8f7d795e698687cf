import { setPassword } from '../../../db/queries/accounts.js'
import { NoResult } from '../../../schemas/empty.js'
import { PasswordChangeInput } from '../../../schemas/account.js'
import { requireOwnPassword } from '../../accounts/own-password.js'
import { hashPassword } from '../../accounts/passwords.js'
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
  output: NoResult,
  async handler (context, { current_password, new_password, revoke_keys }) {
    const { db, account, sessionId } = context
    const currentHash = await requireOwnPassword(context, current_password, { action: 'change', wrongPassword })
    // A concurrent change since the check wins.
    if (
      !(await setPassword(db, account.id, await hashPassword(new_password), {
        currentHash,
        except: sessionId,
        revokesKeys: revoke_keys
      }))
    ) {
      throw wrongPassword()
    }
    return {}
  }
})
