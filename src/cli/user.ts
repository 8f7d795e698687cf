import { accountCreate } from '../operations/accounts/account-create.js'
import { accountFind } from '../operations/accounts/account-find.js'
import { accountUpdate } from '../operations/accounts/account-update.js'
import { accountsList } from '../operations/accounts/accounts-list.js'
import { passwordReset } from '../operations/accounts/password-reset.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

export const userCreate: Command = {
  name: 'user create',
  summary: 'create an account',
  operations: [accountCreate],
  declare: program => program.requiredOption('--email <email>', 'address of the account').option('--password <password>', 'password; default: generated and printed'),
  run (terminal, options) {
    const input = accountCreate.check(options)
    return withService(terminal, async ({ context }) => {
      const account = await accountCreate.run(context, input)
      terminal.print(account, `Created ${account.email}.${account.password === undefined ? '' : `\nPassword: ${account.password}`}`)
      return undefined
    })
  }
}

export const userList: Command = {
  name: 'user list',
  summary: 'list accounts',
  operations: [accountsList],
  run: terminal => withService(terminal, async ({ context }) => {
    const accounts = await accountsList.run(context, {})
    terminal.print(accounts, accounts.items.map(({ email, created_at, administrator, disabled_at }) =>
      `${created_at.slice(0, 10)}  ${email}${administrator ? '  (administrator)' : ''}${disabled_at === null ? '' : `  (disabled since ${disabled_at.slice(0, 10)})`}`).join('\n') || 'No accounts yet. Create one: litfeed user create --email …')
    return undefined
  })
}

export const userResetPassword: Command = {
  name: 'user reset-password',
  summary: 'set an account\'s password and end its sessions',
  operations: [passwordReset],
  declare: program => program.requiredOption('--email <email>', 'address of the account').option('--password <password>', 'new password; default: generated and printed'),
  run (terminal, options) {
    const input = passwordReset.check(options)
    return withService(terminal, async ({ context }) => {
      const account = await passwordReset.run(context, input)
      terminal.print(account, `Set the password of ${account.email}; its sessions ended.${account.password === undefined ? '' : `\nPassword: ${account.password}`}`)
      return undefined
    })
  }
}

export const userDisable = toggleCommand('user disable', 'disable an account: ends sessions, stops its key, pauses projects', true)
export const userEnable = toggleCommand('user enable', 'enable a disabled account', false)

function toggleCommand (name: string, summary: string, disabled: boolean): Command {
  return {
    name,
    summary,
    operations: [accountFind, accountUpdate],
    declare: program => program.requiredOption('--email <email>', 'address of the account'),
    run: (terminal, { email }) => withService(terminal, async ({ context }) => {
      const { id } = await accountFind.run(context, { email })
      const account = await accountUpdate.run(context, { account_id: id, disabled })
      terminal.print(account, disabled ? `${account.email} is disabled; its key stops working within a second.` : `${account.email} is enabled.`)
      return undefined
    })
  }
}
