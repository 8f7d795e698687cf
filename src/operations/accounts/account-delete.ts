import { getPassword } from '../../../db/queries/accounts.js'
import { deleteAccount } from '../../../db/queries/deletions.js'
import { AccountDeleteInput, Nothing } from '../../../schemas/account.js'
import { verifyPassword } from '../../accounts/passwords.js'
import { Forbidden, LastAdministrator } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'

const wrongPassword = () =>
  new Forbidden('The password is wrong. Send the password that you log in with.', {
    userMessage: 'The password is wrong. Enter the password that you sign in with.'
  })

/** @throws Forbidden for a wrong password, RateLimited after too many: a stolen session must not delete the account; LastAdministrator */
export const accountDelete = operation({
  name: 'account_delete',
  title: 'Delete the account',
  description:
    'Deletes the account with its projects, feedback, keys, sessions, uploads and texts permanently. Export it first to keep a copy.',
  input: AccountDeleteInput,
  output: Nothing,
  async handler ({ db, account, accounts: { loginThrottle } }, { password }) {
    const { password_hash } = await getPassword(db, account.id)
    const attempt = await loginThrottle.begin({ address: account.id, email: `delete ${account.id}` })
    if (!await verifyPassword(password_hash, password)) {
      attempt.failed()
      throw wrongPassword()
    }
    await attempt.succeeded()
    const deleted = await deleteAccount(db, account.id, password_hash)
    if (deleted === 'last') throw new LastAdministrator()
    if (!deleted) throw wrongPassword()
    return {}
  }
})
