import { listAccounts } from '../../../db/queries/accounts.js'
import { listAccountStorage } from '../../../db/queries/state.js'
import { AccountsListResult } from '../../../schemas/administration.js'
import { NoInput } from '../../../schemas/project.js'
import { accountOf } from '../../accounts/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export const accountsList = operation({
  name: 'accounts_list',
  title: 'List accounts',
  description: 'Returns every account, oldest first, with its number of projects, the storage that it uses and its last activity.',
  input: NoInput,
  output: AccountsListResult,
  async handler ({ db }: ServiceContext) {
    const [accounts, storage] = [await listAccounts(db), await listAccountStorage(db)]
    const items = accounts.map(({ projects, session_used_at, key_used_at, ...account }) => ({
      ...accountOf(account),
      projects,
      storage_bytes: storage.get(account.id) ?? 0,
      last_used_at: latest(session_used_at, key_used_at)?.toISOString() ?? null
    }))
    return { items, total: items.length }
  }
})

const latest = (one: Date | null, other: Date | null) => one !== null && other !== null && one < other ? other : one ?? other
