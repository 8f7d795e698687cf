import { createAccount } from '../../../db/queries/accounts.js'
import { AccountCreateInput, AccountCreated } from '../../../schemas/account.js'
import { hashPassword, generatePassword } from '../../accounts/passwords.js'
import { EmailTaken } from '../../errors/operation-errors.js'
import { accountOf, normalizeEmail } from '../../accounts/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For the operator: ignores the registration policy. @throws EmailTaken */
export const accountCreate = operation({
  name: 'account_create',
  title: 'Create an account',
  description: 'Creates an account. Without a password, generates one and returns it, this once.',
  input: AccountCreateInput,
  output: AccountCreated,
  async handler ({ db, now }: ServiceContext, { email, password }) {
    const name = normalizeEmail(email)
    const generatedPassword = password === undefined ? generatePassword() : undefined
    const password_hash = await hashPassword(password ?? generatedPassword!)
    // The operator knows the address.
    const account = await createAccount(db, { email: name, password_hash, email_confirmed_at: now() })
    if (account === undefined) throw new EmailTaken(name)
    return { ...accountOf(account), ...(generatedPassword === undefined ? {} : { password: generatedPassword }) }
  }
})
