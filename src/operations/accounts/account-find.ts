import { findAccountByEmail } from '../../../db/queries/accounts.js'
import { Account, AccountInput } from '../../../schemas/account.js'
import { AccountNotFound } from '../../errors/operation-errors.js'
import { accountOf, normalizeEmail } from '../../accounts/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For the operator. @throws AccountNotFound */
export const accountFind = operation({
  name: 'account_find',
  title: 'Find an account',
  description: 'Returns the account with an email address.',
  input: AccountInput,
  output: Account,
  async handler ({ db }: ServiceContext, { email }) {
    const account = await findAccountByEmail(db, normalizeEmail(email))
    if (account === undefined) throw new AccountNotFound(email)
    return accountOf(account)
  }
})
