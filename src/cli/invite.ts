import { defaultInvitationDays, type Invitation } from '../../schemas/invitation.js'
import { invitationCreate } from '../operations/invitations/invitation-create.js'
import { invitationRevoke } from '../operations/invitations/invitation-revoke.js'
import { invitationsList } from '../operations/invitations/invitations-list.js'
import type { Command } from './command.js'
import { defaultOf } from './option-texts.js'
import { withService } from './with-service.js'

export const inviteCreateCommand: Command = {
  name: 'invite create',
  summary: 'create a link with which people create an account',
  operations: [invitationCreate],
  declare: program => program
    .option('--email <email>', 'only email address that can use the link (default: any)')
    .option('--uses <number>', `number of accounts that it can create (default: ${defaultOf(invitationCreate.input.properties.uses)})`)
    .option('--expires <time>', `expiry, such as 2027-01-01 (default: in ${defaultInvitationDays} days)`)
    .option('--note <text>', 'note for administrators'),
  run (terminal, { expires, ...options }) {
    const input = invitationCreate.check({ ...options, ...(expires === undefined ? {} : { expires_at: expires }) }, { encoding: 'text' })
    return withService(terminal, async ({ context }) => {
      const link = await invitationCreate.run(context, input)
      terminal.print(link, `Link: ${link.url}\nThe link is shown only once. It works until ${link.expires_at}.`)
    })
  }
}

export const inviteListCommand: Command = {
  name: 'invite list',
  summary: 'list invitation links, open ones first',
  operations: [invitationsList],
  run: terminal => withService(terminal, async ({ context }) => {
    const links = await invitationsList.run(context, {})
    terminal.print(links, links.items.map(lineOf).join('\n') || 'No invitation links. Create one: litfeed invite create')
  })
}

const lineOf = ({ id, state, email, note, uses, used, expires_at, created_by }: Invitation): string => [
  id,
  state.padEnd(7),
  `${used} of ${uses} used`,
  `expires ${expires_at}`,
  email ?? 'any address',
  `by ${created_by ?? 'the command line'}`,
  ...(note === '' ? [] : [note])
].join('  ')

export const inviteRevokeCommand: Command = {
  name: 'invite revoke',
  summary: 'revoke an open invitation link',
  operations: [invitationRevoke],
  declare: program => program.argument('<id>', 'id of the link, from litfeed invite list'),
  run (terminal, _options, [id]) {
    const input = invitationRevoke.check({ invitation_id: id }, { encoding: 'text' })
    return withService(terminal, async ({ context }) => {
      await invitationRevoke.run(context, input)
      terminal.print({ revoked: true }, 'Revoked the link. Accounts created with it stay.')
    })
  }
}
