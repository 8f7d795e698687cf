import { findAccountByEmail, setPassword } from '../../../db/queries/accounts.js'
import { AccountCreateInput, AccountCreated } from '../../../schemas/account.js'
import { hashPassword, generatePassword } from '../../accounts/passwords.js'
import { AccountNotFound } from '../../errors/operation-errors.js'
import { accountOf, normalizeEmail } from '../../accounts/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For the operator. Every session of the account ends. @throws AccountNotFound */
export const passwordReset = operation({
  name: 'password_reset',
  title: 'Reset a password',
  description: 'Sets an account\'s password and ends its sessions. Without a password, one is made and shown this once.',
  input: AccountCreateInput,
  output: AccountCreated,
  async handler ({ db }: ServiceContext, { email, password }) {
    const account = await findAccountByEmail(db, normalizeEmail(email))
    if (account === undefined) throw new AccountNotFound(email)
    const made = password === undefined ? generatePassword() : undefined
    await setPassword(db, account.id, await hashPassword(password ?? made!))
    return { ...accountOf(account), ...(made === undefined ? {} : { password: made }) }
  }
})
