import { createAccount } from '../../../db/queries/accounts.js'
import { AccountCreateInput, AccountCreated } from '../../../schemas/account.js'
import { hashPassword, generatePassword } from '../../accounts/passwords.js'
import { EmailTaken } from '../../errors/operation-errors.js'
import { accountOf, normalizeEmail } from '../../accounts/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For the operator: no registration policy. @throws EmailTaken */
export const accountCreate = operation({
  name: 'account_create',
  title: 'Create an account',
  description: 'Makes an account. Without a password, one is made and shown this once.',
  input: AccountCreateInput,
  output: AccountCreated,
  async handler ({ db }: ServiceContext, { email, password }) {
    const name = normalizeEmail(email)
    const made = password === undefined ? generatePassword() : undefined
    const account = await createAccount(db, { email: name, password_hash: await hashPassword(password ?? made!) })
    if (account === undefined) throw new EmailTaken(name)
    return { ...accountOf(account), ...(made === undefined ? {} : { password: made }) }
  }
})
