import type { Db } from '../../db/connection.js'
import { listAccounts } from '../../db/queries/accounts.js'
import { listAccountStorage } from '../../db/queries/state.js'
import { accountOf } from './records.js'

/** Service-wide, for administrators: a page of all accounts with the storage of each. */
export async function readAccounts (db: Db, page: Parameters<typeof listAccounts>[1]) {
  const accounts = await listAccounts(db, page)
  const storage = await listAccountStorage(db, accounts.map(({ id }) => id))
  return accounts.map(({ projects, last_used_at, ...account }) => ({
    ...accountOf(account),
    projects,
    storage_bytes: storage.get(account.id) ?? 0,
    last_used_at: last_used_at?.toISOString() ?? null
  }))
}
