import { countAccounts } from '../../../db/queries/accounts.js'
import { AccountsListInput, AccountsListResult } from '../../../schemas/administration.js'
import { maxLimit } from '../../../schemas/paging.js'
import { readAccounts } from '../../accounts/listed-accounts.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export const accountsList = operation({
  name: 'accounts_list',
  title: 'List accounts',
  description: 'Returns a page of all accounts, oldest first, with the number of projects, the storage and the last activity of each.',
  input: AccountsListInput,
  output: AccountsListResult,
  async handler ({ db }: ServiceContext, { limit = maxLimit, offset = 0 }) {
    const total = await countAccounts(db)
    const items = await readAccounts(db, { limit, offset })
    return { items, total, limit, offset, has_more: offset + items.length < total }
  }
})
