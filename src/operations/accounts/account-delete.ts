import { deleteAccount } from '../../../db/queries/deletions.js'
import { NoResult } from '../../../schemas/empty.js'
import { AccountDeleteInput } from '../../../schemas/account.js'
import { requireOwnPassword } from '../../accounts/own-password.js'
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
  output: NoResult,
  async handler (context, { password }) {
    const { db, account } = context
    const passwordHash = await requireOwnPassword(context, password, { action: 'delete', wrongPassword })
    const deleted = await deleteAccount(db, account.id, passwordHash)
    if (deleted === 'last') throw new LastAdministrator()
    if (!deleted) throw wrongPassword()
    return {}
  }
})
