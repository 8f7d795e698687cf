import { revokeInvitation } from '../../../db/queries/invitations.js'
import { NoResult } from '../../../schemas/empty.js'
import { InvitationInput } from '../../../schemas/invitation.js'
import { NotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

/** For administrators. @throws NotFound also for a link that has ended */
export const invitationRevoke = operation({
  name: 'invitation_revoke',
  title: 'Revoke an invitation link',
  description: 'Revokes an open invitation link at once. Accounts that it created stay.',
  input: InvitationInput,
  output: NoResult,
  async handler ({ db, now }: ServiceContext, { invitation_id }) {
    if (!await revokeInvitation(db, invitation_id, now())) {
      throw new NotFound(
        `There is no open invitation link ${invitation_id}. GET /api/administration/invitations or "litfeed invite list" lists them.`,
        { userMessage: 'This link no longer works: it was used, has expired, or was revoked.' }
      )
    }
    return {}
  }
})
