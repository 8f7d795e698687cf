import { findAccount } from '../../../db/queries/accounts.js'
import { Account } from '../../../schemas/account.js'
import { NoInput } from '../../../schemas/empty.js'
import { accountOf } from '../../accounts/records.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { operation } from '../operation.js'

export const me = operation({
  name: 'me',
  title: 'Get the current account',
  description: 'Returns the account of the access token.',
  input: NoInput,
  output: Account,
  async handler ({ db, account }) {
    return accountOf(requireRecord(await findAccount(db, account.id)))
  }
})
