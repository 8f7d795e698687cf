import { listAccounts } from '../../db/queries/accounts.js'
import { AccountsListResult } from '../../schemas/account.js'
import { NoInput } from '../../schemas/project.js'
import { accountOf } from './accounts.js'
import { operation, type ServiceContext } from './operation.js'

export const accountsList = operation({
  name: 'accounts_list',
  title: 'List accounts',
  description: 'Gives every account, oldest first.',
  input: NoInput,
  output: AccountsListResult,
  async run ({ db }: ServiceContext) {
    const items = (await listAccounts(db)).map(accountOf)
    return { items, total: items.length }
  }
})
