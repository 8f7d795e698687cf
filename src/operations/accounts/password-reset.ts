import { findAccountByEmail, setPassword } from '../../../db/queries/accounts.js'
import { AccountCreated, PasswordResetInput } from '../../../schemas/account.js'
import { hashPassword, generatePassword } from '../../accounts/passwords.js'
import { AccountNotFound } from '../../errors/operation-errors.js'
import { accountOf, normalizeEmail } from '../../accounts/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For the operator. @throws AccountNotFound */
export const passwordReset = operation({
  name: 'password_reset',
  title: 'Reset a password',
  description: 'Sets an account\'s password and ends its sessions. Without a password, generates one and returns it, this once.',
  input: PasswordResetInput,
  output: AccountCreated,
  async handler ({ db }: ServiceContext, { email, password, revoke_keys }) {
    const account = await findAccountByEmail(db, normalizeEmail(email))
    if (account === undefined) throw new AccountNotFound(email)
    const generatedPassword = password === undefined ? generatePassword() : undefined
    await setPassword(db, account.id, await hashPassword(password ?? generatedPassword!), { revokesKeys: revoke_keys })
    return { ...accountOf(account), ...(generatedPassword === undefined ? {} : { password: generatedPassword }) }
  }
})
