import { findAccount } from '../../../db/queries/accounts.js'
import { Account } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/project.js'
import { accountOf } from '../../accounts/records.js'
import { operation } from '../operation.js'

export const me = operation({
  name: 'me',
  title: 'Who am I',
  description: 'Gives the account that the access token belongs to.',
  input: NoInput,
  output: Account,
  async handler ({ db, account }) {
    return accountOf((await findAccount(db, account.id))!)
  }
})
