import { updateAccount } from '../../../db/queries/accounts.js'
import { Account } from '../../../schemas/account.js'
import { AccountUpdateInput } from '../../../schemas/administration.js'
import { AccountNotFound, LastAdministrator } from '../../errors/operation-errors.js'
import { accountOf } from '../../accounts/records.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/**
 * For administrators. A disabled account keeps its data; enabling it restores everything.
 * @throws AccountNotFound, LastAdministrator
 */
export const accountUpdate = operation({
  name: 'account_update',
  title: 'Disable or enable an account, or grant administration',
  description: 'Disables or enables an account, and grants or revokes administration. Disabling ends its sessions, stops its keys and ' +
    'Atom addresses, and pauses its projects; enabling restores them.',
  input: AccountUpdateInput,
  output: Account,
  async handler ({ db, now }: ServiceContext, { account_id, disabled, administrator }) {
    const account = await updateAccount(db, account_id, {
      ...(disabled === undefined ? {} : { disabled_at: disabled ? now() : null }),
      ...(administrator === undefined ? {} : { administrator })
    })
    if (account === undefined) throw new AccountNotFound(account_id)
    if (account === 'last') throw new LastAdministrator()
    return accountOf(account)
  }
})
