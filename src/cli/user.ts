import type { AccountsListResult } from '../../schemas/administration.js'
import { maxLimit } from '../../schemas/paging.js'
import { accountCreate } from '../operations/accounts/account-create.js'
import { accountSettings } from '../operations/accounts/account-settings.js'
import { accountFind } from '../operations/accounts/account-find.js'
import { accountUpdate } from '../operations/accounts/account-update.js'
import { accountsList } from '../operations/accounts/accounts-list.js'
import type { ServiceContext } from '../operations/context.js'
import { passwordReset } from '../operations/accounts/password-reset.js'
import { actingForAccount } from './acting-for.js'
import type { Command } from './command.js'
import { emailOption } from './option-texts.js'
import { withService } from './with-service.js'

export const userCreate: Command = {
  name: 'user create',
  summary: 'create an account',
  operations: [accountCreate],
  prepares: 'new',
  declare: program => program.requiredOption(...emailOption).option(
    '--password <password>',
    'password; default: generated and printed'
  ),
  run (terminal, options) {
    const input = accountCreate.check(options, { encoding: 'text' })
    return withService(terminal, async ({ context }) => {
      const account = await accountCreate.run(context, input)
      terminal.print(account, `Created ${account.email}.${account.password === undefined ? '' : `\nPassword: ${account.password}`}`)
    })
  }
}

/** Reads every page of the accounts. */
export async function listAllAccounts (context: ServiceContext): Promise<AccountsListResult['items']> {
  const accounts: AccountsListResult['items'] = []
  for (;;) {
    const { items, has_more } = await accountsList.run(context, { limit: maxLimit, offset: accounts.length })
    accounts.push(...items)
    if (!has_more || items.length === 0) return accounts
  }
}

export const userList: Command = {
  name: 'user list',
  summary: 'list accounts',
  operations: [accountsList],
  run: terminal => withService(terminal, async ({ context }) => {
    const items = await listAllAccounts(context)
    const lines = items.map(({ email, created_at, administrator, disabled_at }) => {
      const role = administrator ? '  (administrator)' : ''
      const state = disabled_at === null ? '' : `  (disabled since ${disabled_at.slice(0, 10)})`
      return `${created_at.slice(0, 10)}  ${email}${role}${state}`
    })
    terminal.print({ items, total: items.length }, lines.join('\n') || 'No accounts yet. Create one: litfeed user create --email …')
  })
}

export const userResetPassword: Command = {
  name: 'user reset-password',
  summary: 'change the password of an account and end its sessions',
  operations: [passwordReset],
  declare: program => program
    .requiredOption(...emailOption)
    .option('--password <password>', 'new password; default: generated and printed')
    .option('--revoke-keys', 'also revoke the MCP keys of the account'),
  run (terminal, { revokeKeys, ...options }) {
    const input = passwordReset.check({ ...options, revoke_keys: revokeKeys === true }, { encoding: 'text' })
    return withService(terminal, async ({ context }) => {
      const account = await passwordReset.run(context, input)
      const password = account.password === undefined ? '' : `\nPassword: ${account.password}`
      terminal.print(
        account,
        `Changed the password of ${account.email} and ended its sessions${revokeKeys === true ? '; its keys are revoked' : ''}.${password}`
      )
    })
  }
}

export const userEdit: Command = {
  name: 'user edit',
  summary: 'set the time zone of an account',
  operations: [accountFind, accountSettings],
  declare: program => program
    .requiredOption(...emailOption)
    .requiredOption('--time-zone <zone>', 'time zone of digests, such as Europe/Berlin'),
  run (terminal, { email, timeZone }) {
    const input = accountSettings.check({ time_zone: timeZone }, { encoding: 'text' })
    return withService(terminal, async service => {
      const account = await accountSettings.run(await actingForAccount(service, email), input)
      terminal.print(account, `Digests of ${account.email} now follow the time zone ${account.time_zone}.`)
    })
  }
}

export const userDisable = toggleCommand('user disable', 'disable an account: end sessions, stop keys, pause projects', true)
export const userEnable = toggleCommand('user enable', 'enable a disabled account', false)

function toggleCommand (name: string, summary: string, disabled: boolean): Command {
  return {
    name,
    summary,
    operations: [accountFind, accountUpdate],
    declare: program => program.requiredOption(...emailOption),
    run: (terminal, { email }) => withService(terminal, async ({ context }) => {
      const { id } = await accountFind.run(context, { email })
      const account = await accountUpdate.run(context, { account_id: id, disabled })
      const { email: name } = account
      terminal.print(account, disabled ? `Disabled ${name}. Its keys stop working within a second.` : `Enabled ${name}.`)
    })
  }
}
