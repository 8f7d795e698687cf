import { findInvitation } from '../../../db/queries/invitations.js'
import { InvitationStateInput } from '../../../schemas/account.js'
import { InvitationStateResult } from '../../../schemas/invitation.js'
import { invitationTokens } from '../../accounts/link-tokens.js'
import type { AnonymousContext } from '../context.js'
import { operation } from '../operation.js'
import { invitationStateOf } from '../../accounts/records.js'

/** Opening a link does not use it up, since mail programs and chats open links too. @throws RateLimited after too many unknown tokens */
export const invitationState = operation({
  name: 'invitation_state',
  title: 'Get the state of an invitation link',
  description: 'Returns whether a link can create an account, and for which address.',
  input: InvitationStateInput,
  output: InvitationStateResult,
  async handler ({ db, now, address, accounts: { resetThrottle } }: AnonymousContext, { token }) {
    const hash = invitationTokens.hashOf(token)
    const link = hash === undefined ? undefined : await findInvitation(db, hash)
    if (link === undefined) {
      await resetThrottle.count({ address })
      return { state: 'unknown' as const, email: null }
    }
    return { state: invitationStateOf(link, now()), email: link.email }
  }
})
