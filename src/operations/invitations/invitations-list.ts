import { listEndedInvitations, listOpenInvitations } from '../../../db/queries/invitations.js'
import { InvitationsListResult, maxEndedInvitations } from '../../../schemas/invitation.js'
import { NoInput } from '../../../schemas/empty.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { invitationOf } from '../../accounts/records.js'

/** For administrators. */
export const invitationsList = operation({
  name: 'invitations_list',
  title: 'List invitation links',
  description: 'Returns the links that can create accounts, then the last ones that were used up, expired or revoked, without their ' +
    'addresses.',
  input: NoInput,
  output: InvitationsListResult,
  async handler ({ db, now, alerts: { mailer } }: ServiceContext) {
    const time = now()
    const open = await listOpenInvitations(db, time)
    const ended = await listEndedInvitations(db, time, maxEndedInvitations)
    return { items: [...open, ...ended].map(link => invitationOf(link, time)), open: open.length, mail: mailer !== undefined }
  }
})
